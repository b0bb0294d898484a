package tokenizer

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// The character references that Python's html.unescape resolves, and those that ftfy resolves.
var (
	reference      = regexp.MustCompile(`&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)`)
	wholeReference = regexp.MustCompile(`&#?[0-9A-Za-z]{1,24};`)
)

// unescape returns Python's html.unescape of a text: it resolves references with and without a
// semicolon.
func unescape(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return reference.ReplaceAllStringFunc(text, func(r string) string {
		if r[1] == '#' {
			return numericReference(strings.TrimSuffix(r[2:], ";"))
		}
		return html.UnescapeString(r)
	})
}

// numericReference returns what Python replaces a numeric reference by. Package html differs for
// numbers that are not characters.
func numericReference(digits string) string {
	base := 10
	if digits[0] == 'x' || digits[0] == 'X' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseInt(digits, base, 32)
	r := rune(n)
	switch {
	case err != nil || r == 0 || !utf8.ValidRune(r):
		r = utf8.RuneError
	case r >= 0x80 && r <= 0x9f:
		r = windows1252(r)
	case r == '\r':
	case r < ' ' && isRemovedByFtfy(r), r == 0x7f, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return ""
	}
	return string(r)
}

// unescapeLikeFtfy returns ftfy's unescape_html of a text: it resolves references with a semicolon
// only, and also lower-case names that are written in capitals, such as &EACUTE;.
func unescapeLikeFtfy(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return wholeReference.ReplaceAllStringFunc(text, func(r string) string {
		s := unescape(r)
		switch {
		case s == r && r == strings.ToUpper(r):
			if s = unescape(strings.ToLower(r)); isWhole(s) {
				return cases.Upper(language.Und).String(s)
			}
		case isWhole(s):
			return s
		}
		return r
	})
}

// isWhole reports whether s, the result of unescape for a reference, replaced all of it including
// the semicolon.
func isWhole(s string) bool { return s == ";" || !strings.HasSuffix(s, ";") }
