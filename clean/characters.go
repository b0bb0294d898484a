package clean

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainSpellings replaces characters and sequences by a plain spelling: quotes become straight;
// dashes become hyphens, with spaces around those that separate parts of a sentence; escapes such
// as \n are undone.
var plainSpellings = strings.NewReplacer(
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'", "\u02bc", "'", "\u2032", "'", "`", "'", "\u00b4", "'",
	"\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u201f", `"`, "\u00ab", `"`, "\u00bb", `"`, "\u2033", `"`,
	"``", `"`, "''", `"`, `\"`, `"`, `\'`, "'",
	`\r`, " ", `\n`, " ", `\t`, " ",
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2212", "-", "\u2014", " - ", "\u2015", " - ",
	"\u2026", "...",
	"\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl",
)

// plainCharacters writes each character the plain way, in normal form C. White space and control
// characters become one space. Emoji, other symbols and invisible characters are removed.
func plainCharacters(s string, _ Options, _ *findings) string {
	if isPlainASCII(s) {
		return s
	}
	return spellPlainly(s)
}

func spellPlainly(s string) string {
	s = norm.NFC.String(plainSpellings.Replace(s))
	var b strings.Builder
	b.Grow(len(s))
	prev := ' '
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			r = ' '
		case r <= '~':
		case isJoiner(r):
			if !allowsJoiner(prev) {
				continue
			}
		case !unicode.IsGraphic(r) || isEmoji(r):
			continue
		}
		if r == ' ' && prev == ' ' {
			continue
		}
		b.WriteRune(r)
		prev = r
	}
	return strings.TrimSuffix(b.String(), " ")
}

// isPlainASCII reports whether s is ASCII that plainCharacters would not change.
func isPlainASCII(s string) bool {
	prev := byte(' ')
	for i := range len(s) {
		b := s[i]
		if b < ' ' || b > '~' || b == '`' || b == '\\' || b == ' ' && prev == ' ' || b == '\'' && prev == '\'' {
			return false
		}
		prev = b
	}
	return prev != ' '
}

// isEmoji reports whether r is a symbol or a part of one. The degree sign is text.
func isEmoji(r rune) bool {
	switch {
	case r == '°':
		return false
	case r >= 0xfe00 && r <= 0xfe0f, r == 0x20e3, r >= 0x1f3fb && r <= 0x1f3ff: // variation, keycap, skin tone
		return true
	}
	return unicode.Is(unicode.So, r)
}

// isJoiner reports whether r is a zero-width joiner or non-joiner, which some scripts need within
// words. It is kept only after a letter or mark of such a script.
func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d }

func allowsJoiner(prev rune) bool {
	return prev >= 0x0600 && unicode.In(prev, unicode.L, unicode.M) && !unicode.Is(unicode.Latin, prev) && !isEmoji(prev)
}
