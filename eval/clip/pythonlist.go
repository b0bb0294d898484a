package clip

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parsePythonList parses a Python list of strings, such as ['a', "b's"]. "" is an empty list.
func parsePythonList(s string) (list []string, err error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	rest, ok := strings.CutPrefix(s, "[")
	if !ok {
		return nil, errors.New("is not a Python list")
	}
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		switch {
		case rest == "":
			return nil, errors.New("the list is cut off")
		case rest == "]":
			return list, nil
		case rest[0] != '\'' && rest[0] != '"':
			return nil, fmt.Errorf("has %.10q instead of a string", rest)
		}
		var one string
		if one, rest, err = parseQuoted(rest); err != nil {
			return nil, err
		}
		list = append(list, one)
		rest = strings.TrimLeft(rest, " \t\r\n")
		if after, ok := strings.CutPrefix(rest, ","); ok {
			rest = after
		} else if rest != "]" {
			return nil, errors.New("has no comma between two strings")
		}
	}
}

// parseQuoted parses the string at the beginning of s.
func parseQuoted(s string) (one, rest string, err error) {
	quote, s := s[0], s[1:]
	var b strings.Builder
	for {
		i := strings.IndexAny(s, string([]byte{quote, '\\'}))
		if i < 0 {
			return "", "", errors.New("a string of the list is cut off")
		}
		b.WriteString(s[:i])
		if s[i] == quote {
			return b.String(), s[i+1:], nil
		}
		r, size, err := parseEscape(s[i+1:])
		if err != nil {
			return "", "", err
		}
		b.WriteRune(r)
		s = s[i+1+size:]
	}
}

// parseEscape parses the part of an escape sequence after the backslash.
func parseEscape(s string) (r rune, size int, err error) {
	if s == "" {
		return 0, 0, errors.New("a string of the list is cut off")
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if digits > 0 {
		if len(s) <= digits {
			return 0, 0, errors.New("a string of the list is cut off")
		}
		n, err := strconv.ParseUint(s[1:1+digits], 16, 32)
		if err != nil || n > utf8.MaxRune {
			return 0, 0, fmt.Errorf("\\%s is not a character", s[:1+digits])
		}
		return rune(n), 1 + digits, nil
	}
	if i := strings.IndexByte(`ntr\'"`, s[0]); i >= 0 {
		return rune("\n\t\r\\'\""[i]), 1, nil
	}
	return 0, 0, fmt.Errorf("\\%.1s is an unknown escape", s)
}
