package negatives

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseStringList reads a Python list literal of strings, such as ['a dog\'s bowl', "a cat"].
// Pandas writes a list into a TSV cell in this form. An empty list has no strings.
func parseStringList(s string) ([]string, error) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '[' {
		return nil, errors.New("a list literal begins with [")
	}
	rest := strings.TrimLeft(s[1:], " ")
	var list []string
	for {
		if rest == "]" {
			return list, nil
		}
		item, tail, err := parseStringLiteral(rest)
		if err != nil {
			return nil, fmt.Errorf("item %d of the list literal: %w", len(list), err)
		}
		list = append(list, item)
		rest = strings.TrimLeft(tail, " ")
		switch {
		case strings.HasPrefix(rest, ","):
			rest = strings.TrimLeft(rest[1:], " ")
		case rest != "]":
			return nil, fmt.Errorf("after item %d of the list literal: neither , nor ]", len(list)-1)
		}
	}
}

// escapes are Python's one-letter escapes.
var escapes = map[byte]string{
	'\\': `\`, '\'': `'`, '"': `"`, '\n': "", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// parseStringLiteral reads one Python string literal at the beginning of s and returns the rest of
// s.
func parseStringLiteral(s string) (value, rest string, err error) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", "", errors.New("not a quoted string")
	}
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); {
		switch c := s[i]; c {
		case quote:
			return b.String(), s[i+1:], nil
		case '\\':
			n, err := unescape(&b, s[i:])
			if err != nil {
				return "", "", err
			}
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", "", errors.New("string without closing quote")
}

// unescape writes the character of the escape at the beginning of s and returns the escape's length
// in bytes. An escape that Python does not know is written unchanged.
func unescape(b *strings.Builder, s string) (int, error) {
	if len(s) < 2 {
		return 0, errors.New("string ends in a backslash")
	}
	if plain, ok := escapes[s[1]]; ok {
		b.WriteString(plain)
		return 2, nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 {
		b.WriteString(s[:2])
		return 2, nil
	}
	if len(s) < 2+digits {
		return 0, fmt.Errorf("escape %s is cut off", s)
	}
	code, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return 0, fmt.Errorf("escape %s names no character", s[:2+digits])
	}
	b.WriteRune(rune(code))
	return 2 + digits, nil
}
