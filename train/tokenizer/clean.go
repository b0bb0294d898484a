package tokenizer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// maxPasses is the maximum number of times that a line is fixed, since references can contain
// references.
const maxPasses = 16

// appendLikeOpenCLIP appends to dst the text, cleaned as open_clip does by default. White space is
// kept, since the scanner skips it.
func appendLikeOpenCLIP(dst []byte, text string) []byte {
	from := len(dst)
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b == '&' || b > '~' || b < ' ' && b != '\t' && b != '\n' && b != '\f' && b != '\r':
			return append(dst[:from], cleanLikeOpenCLIP(text)...)
		}
		dst = append(dst, b)
	}
	return dst
}

// cleanLikeOpenCLIP returns cleanBasic of a text in lower case.
func cleanLikeOpenCLIP(text string) string { return lowerLikePython(cleanBasic(text)) }

// cleanBasic returns a text after Python's ftfy.fix_text and twice html.unescape. ftfy's repair of
// text that was decoded with the wrong encoding is left out.
func cleanBasic(text string) string {
	return unescape(unescape(fixText(strings.ToValidUTF8(text, "\ufffd"))))
}

// canonicalizeText returns cleanBasic of a text in lower case, without ASCII punctuation, and with
// one space between words. An underscore becomes a space.
func canonicalizeText(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return ' '
		case r < utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			return -1
		}
		return r
	}, cleanBasic(text))
	return strings.Join(strings.Fields(lowerLikePython(text)), " ")
}

// fixText returns a text after ftfy's fix_text without fix_encoding. As in ftfy, references are
// kept from the first line with a < on, because the text may be HTML.
func fixText(text string) string {
	var b strings.Builder
	references := true
	for line := range strings.Lines(text) {
		references = references && !strings.Contains(line, "<")
		for range maxPasses {
			before := line
			if references {
				line = unescapeLikeFtfy(line)
			}
			if line = norm.NFC.String(fixCharacters(line)); line == before {
				break
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// colourCodes matches escape sequences of terminals, such as those that change the colour.
var colourCodes = regexp.MustCompile(`\x1b\[[0-9;]*[a-zA-Z]`)

// ligatures replaces the ligatures that ftfy replaces by single letters.
var ligatures = strings.NewReplacer(
	"Ĳ", "IJ", "ĳ", "ij", "ŉ", "ʼn", "Ǳ", "DZ", "ǲ", "Dz", "ǳ", "dz", "Ǆ", "DŽ", "ǅ", "Dž", "ǆ", "dž",
	"Ǉ", "LJ", "ǈ", "Lj", "ǉ", "lj", "Ǌ", "NJ", "ǋ", "Nj", "ǌ", "nj",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "ſt", "ﬆ", "st",
)

// fixCharacters replaces characters as ftfy does: control characters of Latin-1 by those of
// Windows-1252, ligatures by letters, full-width and half-width characters by usual ones, and curly
// quotes by straight ones. It removes control characters.
func fixCharacters(text string) string {
	var b strings.Builder
	for _, r := range colourCodes.ReplaceAllString(ligatures.Replace(text), "") {
		switch {
		case r >= 0x80 && r <= 0x9f:
			r = windows1252(r)
		case r == 0x3000 || r == 0x2028 || r == 0x2029:
			r = ' '
		case r >= 0xff01 && r <= 0xffef:
			b.WriteString(norm.NFKC.String(string(r)))
			continue
		case r == 0x2bc || r >= 0x2018 && r <= 0x201b:
			r = '\''
		case r >= 0x201c && r <= 0x201f:
			r = '"'
		case isRemovedByFtfy(r):
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// windows1252 returns the character that Windows-1252 has in place of r, a control character from
// U+0080 to U+009F.
func windows1252(r rune) rune {
	if w := charmap.Windows1252.DecodeByte(byte(r)); w != utf8.RuneError {
		return w
	}
	return r
}

// isRemovedByFtfy reports whether ftfy removes r.
func isRemovedByFtfy(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\f' && r != '\r'
	case r == 0x7f, r >= 0x206a && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffc:
		return true
	}
	return false
}

// lowerLikePython returns Python's str.lower of a text: İ becomes two characters, and Σ at the end
// of a word ς.
func lowerLikePython(text string) string {
	if strings.ContainsAny(text, "İΣ") {
		return cases.Lower(language.Und).String(text)
	}
	return strings.ToLower(text)
}

// lowerEach returns a text in lower case, converted character by character.
func lowerEach(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "İ", "i\u0307"))
}

// appendLowerNFC appends to dst the text in normal form C and in lower case, character by
// character, which a tokenizer.json can specify.
func appendLowerNFC(dst []byte, text string) []byte {
	from := len(dst)
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			text = norm.NFC.String(strings.ToValidUTF8(text, "\ufffd"))
			return append(dst[:from], lowerEach(text)...)
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}
