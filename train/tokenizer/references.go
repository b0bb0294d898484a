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

// A character reference as Python's html.unescape takes it, and as ftfy does.
var (
	reference      = regexp.MustCompile(`&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)`)
	wholeReference = regexp.MustCompile(`&#?[0-9A-Za-z]{1,24};`)
)

// unescape is Python's html.unescape: references with and without a semicolon.
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

// numericReference returns the character of a number as Python does; package html keeps what is not
// a character.
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
	case r < ' ' && isUnshown(r), r == 0x7f, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return ""
	}
	return string(r)
}

// unescapeWhole is ftfy's unescape_html: references with a semicolon only, and also the names of
// small letters in capitals.
func unescapeWhole(text string) string {
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

// isWhole reports whether a reference with a semicolon became s to its last character.
func isWhole(s string) bool { return s == ";" || !strings.HasSuffix(s, ";") }
