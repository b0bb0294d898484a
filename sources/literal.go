package sources

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// pythonLiteral parses lists and dictionaries of strings and numbers as Python prints them and
// pandas writes them into cells: ['a dog', "a man's dog"] and {'caption': 'a dog'}.
type pythonLiteral struct {
	text string
	at   int
	out  []byte
}

// maxLiteralDepth bounds the nesting of lists.
const maxLiteralDepth = 16

// literalValue returns the JSON of a text that is a list or an object in JSON, in Python's notation or as
// labelled lines; else nil.
func literalValue(s string) jsontext.Value {
	s = trimFence(strings.TrimSpace(s))
	if v := labelledLines(s); v != nil {
		return v
	}
	if strings.HasPrefix(s, `"[`) || strings.HasPrefix(s, `"{`) { // JSON within a JSON string
		if inner, err := jsontext.AppendUnquote(nil, s); err == nil && jsontext.Value(inner).IsValid() {
			return inner
		}
	}
	if s == "" || !strings.Contains("[{(a", s[:1]) || !strings.Contains("]})", s[len(s)-1:]) {
		return nil
	}
	if v := jsontext.Value(s); v.IsValid() {
		return v
	}
	p := &pythonLiteral{text: s}
	if !p.readValue(0) {
		return nil
	}
	if p.skipSpace(); p.at != len(s) {
		return nil
	}
	if v := jsontext.Value(p.out); v.IsValid() {
		return v
	}
	return nil
}

// labelledLines returns lines with labels as a JSON object: "caption: a dog\nmodel: blip" becomes the
// fields caption and model. An indented line continues the one before. For a single line, lines without
// labels and repeated labels it returns nil.
func labelledLines(s string) jsontext.Value {
	if strings.IndexByte(s, '\n') < 0 || strings.IndexByte(s, ':') < 0 {
		return nil
	}
	var names, texts []string
	for line := range strings.Lines(s) {
		text := strings.TrimSpace(line)
		if n := len(texts); n > 0 && text != "" && line[0] == ' ' { // the value continues, as in YAML
			texts[n-1] = strings.TrimSpace(strings.TrimRight(texts[n-1], ">|-") + " " + text)
			continue
		}
		name, value, ok := strings.Cut(text+" ", ": ")
		name = strings.ToLower(name)
		if !ok || !isFieldName(name) || slices.Contains(names, name) {
			return nil
		}
		names, texts = append(names, name), append(texts, strings.Trim(strings.TrimSpace(value), `"'`))
	}
	values := make([]jsontext.Value, len(texts))
	for i, text := range texts {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return nil
		}
		values[i] = quoted
	}
	return joinFields(names, values)
}

// isFieldName reports whether a label consists of letters, digits and underscores.
func isFieldName(name string) bool {
	return name != "" && len(name) <= 32 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// trimFence returns the content of a Markdown code block, in which models write JSON; other text is returned
// unchanged.
func trimFence(s string) string {
	inner, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	if inner, ok = strings.CutSuffix(inner, "```"); !ok {
		return s
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inner), "json"))
}

func (p *pythonLiteral) skipSpace() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// readOneOf reads one of the characters in any and returns it; 0 if the next character is another.
func (p *pythonLiteral) readOneOf(any string) byte {
	p.skipSpace()
	if p.at < len(p.text) && strings.IndexByte(any, p.text[p.at]) >= 0 {
		p.at++
		return p.text[p.at-1]
	}
	return 0
}

// literalWords are the words that may occur in what Python and NumPy print.
var literalWords = []struct{ word, json string }{{"None", "null"}, {"nan", "null"}, {"NaN", "null"}, {"True", "true"}, {"False", "false"}}

// readValue reads a value and appends it to the output as JSON. It returns false if there is none.
func (p *pythonLiteral) readValue(depth int) bool {
	if depth > maxLiteralDepth {
		return false
	}
	p.skipSpace()
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, "array(") {
		p.at += len("array(")
		if !p.readValue(depth + 1) {
			return false
		}
		if p.readOneOf(",") != 0 { // array([…], dtype=object)
			end := strings.IndexByte(p.text[p.at:], ')')
			if end < 0 || !strings.HasPrefix(strings.TrimSpace(p.text[p.at:p.at+end]), "dtype=") {
				return false
			}
			p.at += end
		}
		return p.readOneOf(")") != 0
	}
	for _, w := range literalWords {
		if strings.HasPrefix(rest, w.word) {
			p.at += len(w.word)
			p.out = append(p.out, w.json...)
			return true
		}
	}
	switch p.readOneOf("[({'\"") {
	case '[':
		return p.readElements(']', depth)
	case '(':
		return p.readElements(')', depth)
	case '{':
		return p.readPairs(depth)
	case '\'', '"':
		return p.readText(p.text[p.at-1])
	}
	return p.readNumber()
}

// readNumber reads a number and appends it to the output.
func (p *pythonLiteral) readNumber() bool {
	end := p.at
	for end < len(p.text) && strings.IndexByte("+-.0123456789eE", p.text[end]) >= 0 {
		end++
	}
	f, err := strconv.ParseFloat(p.text[p.at:end], 64)
	if err != nil || f-f != 0 {
		return false
	}
	if n := jsontext.Value(p.text[p.at:end]); n.IsValid() {
		p.out = append(p.out, n...)
	} else {
		p.out = strconv.AppendFloat(p.out, f, 'f', -1, 64)
	}
	p.at = end
	return true
}

// readElements reads the elements of a list up to the bracket end.
func (p *pythonLiteral) readElements(end byte, depth int) bool {
	p.out = append(p.out, '[')
	return p.readRest(end, 0, depth)
}

// readRest reads further elements of a list or set up to the bracket end; n were read before.
// Commas are optional, since NumPy writes none.
func (p *pythonLiteral) readRest(end byte, n, depth int) bool {
	for ; ; n++ {
		if p.readOneOf(string(end)) != 0 {
			p.out = append(p.out, ']')
			return true
		}
		if n > 0 {
			p.out = append(p.out, ',')
		}
		if n > maxElements || !p.readValue(depth+1) {
			return false
		}
		p.readOneOf(",")
	}
}

// readPairs reads a dictionary or a set up to its end.
func (p *pythonLiteral) readPairs(depth int) bool {
	begin := len(p.out)
	p.out = append(p.out, '{')
	for n := 0; ; n++ {
		if p.readOneOf("}") != 0 {
			p.out = append(p.out, '}')
			return true
		}
		if n > 0 {
			p.out = append(p.out, ',')
		}
		if quote := p.readOneOf("'\""); quote == 0 || !p.readText(quote) {
			return false
		}
		if p.readOneOf(":") == 0 {
			if n > 0 { // a set has no colon after its first element
				return false
			}
			p.out[begin] = '['
			if p.readOneOf(",") == 0 && !strings.HasPrefix(p.text[p.at:], "}") {
				return false
			}
			return p.readRest('}', 1, depth)
		}
		p.out = append(p.out, ':')
		if !p.readValue(depth + 1) {
			return false
		}
		p.readOneOf(",")
	}
}

// readText reads a string up to the closing quote and appends it to the output as JSON.
func (p *pythonLiteral) readText(quote byte) bool {
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch c {
		case quote:
			out, err := jsontext.AppendQuote(p.out, b.String())
			p.out = out
			return err == nil
		case '\\':
			if !p.readEscape(&b) {
				return false
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}

// readEscape reads the characters after a backslash.
func (p *pythonLiteral) readEscape(b *strings.Builder) bool {
	if p.at == len(p.text) {
		return false
	}
	c := p.text[p.at]
	p.at++
	if i := strings.IndexByte("ntr", c); i >= 0 {
		b.WriteByte("\n\t\r"[i])
		return true
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		if strings.IndexByte(`\'"`, c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return true
	}
	if p.at+digits > len(p.text) {
		return false
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return false
	}
	p.at += digits
	b.WriteRune(rune(n))
	return true
}
