package llmparse

import (
	"bytes"
	"math"
	"strconv"
)

// lean is a completion with what the client reads of it and no more, so that
// the rest need not be decoded: the content of the first choice, why it ended,
// the tokens used, and for the log-probabilities of all tokens, which are most
// of the bytes, one token with their mean. What is left out is not checked.
// Anything but a completion with a choice is returned as it is.
func lean(body []byte) []byte {
	var content, finish, in, out []byte
	var sum float64
	choices, tokens, numbers := 0, 0, true
	r := jsonReader{b: body}
	token := func(name []byte) {
		if string(name) != "logprob" {
			r.value()
			return
		}
		p, err := strconv.ParseFloat(string(bytes.TrimSpace(r.value())), 64)
		numbers = numbers && err == nil
		sum += p
		tokens++
	}
	choice := func(name []byte) {
		switch string(name) {
		case "message":
			r.members(func(name []byte) {
				if v := r.value(); string(name) == "content" {
					content = v
				}
			})
		case "finish_reason":
			finish = r.value()
		case "logprobs":
			r.members(func(name []byte) {
				if string(name) == "content" {
					r.elements(func() { r.members(token) })
				} else {
					r.value()
				}
			})
		default:
			r.value()
		}
	}
	r.members(func(name []byte) {
		switch string(name) {
		case "choices":
			r.elements(func() {
				if choices++; choices == 1 {
					r.members(choice)
				} else {
					r.value()
				}
			})
		case "usage":
			r.members(func(name []byte) {
				switch v := r.value(); string(name) {
				case "prompt_tokens":
					in = v
				case "completion_tokens":
					out = v
				}
			})
		default:
			r.value()
		}
	})
	mean := sum / float64(tokens)
	if !r.whole() || choices == 0 || !numbers || tokens > 0 && (math.IsInf(mean, 0) || math.IsNaN(mean)) {
		return body
	}
	short := append(make([]byte, 0, len(content)+256), `{"choices":[{"message":{"content":`...)
	short = append(short, orNull(content)...)
	short = append(append(short, `},"finish_reason":`...), orNull(finish)...)
	if tokens > 0 {
		short = strconv.AppendFloat(append(short, `,"logprobs":{"content":[{"logprob":`...), mean, 'g', -1, 64)
		short = append(short, `}]}`...)
	}
	short = append(append(short, `}],"usage":{"prompt_tokens":`...), orNull(in)...)
	short = append(append(short, `,"completion_tokens":`...), orNull(out)...)
	return append(short, `}}`...)
}

// orNull is a JSON value, or null where it is missing.
func orNull(value []byte) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	return value
}

// jsonReader goes through JSON, of which it checks only what it must to find
// its way.
type jsonReader struct {
	b   []byte
	at  int
	bad bool
}

// next is the byte that comes next after white space and the like; 0 at the end.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.b); r.at++ {
		if c := r.b[r.at]; c > ' ' {
			return c
		}
	}
	return 0
}

// pass goes past c, which must come next.
func (r *jsonReader) pass(c byte) {
	if r.next() != c {
		r.bad, r.at = true, len(r.b)
		return
	}
	r.at++
}

// members visits the members of the object that comes next; visit reads the
// value. A value that is no object has none.
func (r *jsonReader) members(visit func(name []byte)) {
	if r.next() != '{' {
		r.value()
		return
	}
	r.at++
	for r.next() == '"' {
		from := r.at + 1
		end := stringEnd(r.b, from)
		r.at = end + 1
		r.pass(':')
		visit(r.b[from:end])
		if r.next() != ',' {
			break
		}
		r.at++
	}
	r.pass('}')
}

// elements visits the elements of the array that comes next; visit reads the
// element. A value that is no array has none.
func (r *jsonReader) elements(visit func()) {
	if r.next() != '[' {
		r.value()
		return
	}
	r.at++
	for r.next() != ']' {
		visit()
		if r.next() != ',' {
			break
		}
		r.at++
	}
	r.pass(']')
}

// value reads what comes next, up to the comma or bracket behind it.
func (r *jsonReader) value() []byte {
	r.next()
	b, from, depth := r.b, r.at, 0
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = stringEnd(b, i+1)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				r.at = i
				return b[from:i]
			}
		case ',':
			if depth == 0 {
				r.at = i
				return b[from:i]
			}
		}
	}
	r.bad, r.at = true, len(b)
	return nil
}

// whole says whether r has found its way to the end.
func (r *jsonReader) whole() bool { return !r.bad && r.next() == 0 }

// stringEnd is where the string that begins at i ends: at its quotation mark.
func stringEnd(b []byte, i int) int {
	for i < len(b) && b[i] != '"' {
		if b[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(b))
}
