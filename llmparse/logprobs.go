package llmparse

import (
	"math"
	"strconv"
)

// logProbPath is where the log-probability of a token stands in a completion:
// the names of members, and "" for the elements of an array.
var logProbPath = [...]string{"choices", "", "logprobs", "content", "", "logprob"}

// logProbsAt is the length of the path to all of them.
const logProbsAt = 3

// withMeanLogProb is a completion of one choice in which one token, with the
// mean of the log-probabilities, stands for all tokens, so that the others need
// not be decoded: they are most of a completion's bytes. Anything else is
// returned as it is.
func withMeanLogProb(body []byte) []byte {
	var begin, end, n int
	var sum float64
	depth := 0 // objects and arrays that are open
	along := 0 // of them, those on the path, and the member on it
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			if along == depth && depth < len(logProbPath) && body[i] == '[' && logProbPath[depth] == "" {
				along++
			}
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return body
			}
			along = min(along, depth)
			if depth == logProbsAt && along == logProbsAt {
				end = i + 1
			}
		case '"':
			from := i + 1
			i = stringEnd(body, from)
			value, isKey := valueAfter(body, i+1)
			if !isKey || depth == 0 || depth > len(logProbPath) || along < depth-1 {
				continue
			}
			along = depth - 1
			if string(body[from:i]) != logProbPath[depth-1] {
				continue
			}
			along = depth
			switch depth {
			case logProbsAt:
				if begin > 0 {
					return body
				}
				begin = value
			case len(logProbPath):
				p, ok := number(body[value:])
				if !ok {
					return body
				}
				sum += p
				n++
			}
		}
	}
	mean := sum / float64(n)
	if end < begin || n == 0 || math.IsInf(mean, 0) {
		return body
	}
	out := append(make([]byte, 0, begin+len(body)-end+96), body[:begin]...)
	out = strconv.AppendFloat(append(out, `{"content":[{"logprob":`...), mean, 'g', -1, 64)
	return append(append(out, `}]}`...), body[end:]...)
}

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

// valueAfter says whether what ends at i is a member's name, and where its
// value begins.
func valueAfter(b []byte, i int) (int, bool) {
	i = afterSpace(b, i)
	if i >= len(b) || b[i] != ':' {
		return 0, false
	}
	return afterSpace(b, i+1), true
}

func afterSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// number reads the number that b begins with.
func number(b []byte) (float64, bool) {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n] == '-' || b[n] == '+' || b[n] == '.' || b[n] == 'e' || b[n] == 'E') {
		n++
	}
	f, err := strconv.ParseFloat(string(b[:n]), 64)
	return f, err == nil
}
