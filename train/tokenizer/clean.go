package tokenizer

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// maxPasses bounds how often references within references are resolved.
const maxPasses = 16

// appendLikeOpenCLIP appends a text cleaned as open_clip does by default. White
// space stays as it is: the scanner skips it.
func appendLikeOpenCLIP(dst []byte, text string) []byte {
	from := len(dst)
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b == '&' || b > '~' || b < ' ' && b != '\t' && b != '\n' && b != '\f' && b != '\r':
			return append(dst[:from], likeOpenCLIP(text)...)
		}
		dst = append(dst, b)
	}
	return dst
}

// likeOpenCLIP is ftfy.fix_text, html.unescape twice and lower case. Of ftfy the
// repair of text that was decoded by the wrong encoding is left out.
func likeOpenCLIP(text string) string {
	text = fix(strings.ToValidUTF8(text, "\ufffd"))
	return lower(unescape(unescape(text)))
}

// fix is ftfy's fix_text, line by line, without its fix_encoding. From the first
// line with a < on, references stay as they are, as the text may be HTML.
func fix(text string) string {
	var b strings.Builder
	references := true
	for line := range strings.Lines(text) {
		references = references && !strings.Contains(line, "<")
		for range maxPasses {
			before := line
			if references {
				line = unescapeWhole(line)
			}
			if line = norm.NFC.String(fixCharacters(line)); line == before {
				break
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// colour is what a terminal takes as a change of colour and the like.
var colour = regexp.MustCompile(`\x1b\[[0-9;]*[a-zA-Z]`)

// ligatures takes apart those that ftfy does.
var ligatures = strings.NewReplacer(
	"Ĳ", "IJ", "ĳ", "ij", "ŉ", "ʼn", "Ǳ", "DZ", "ǲ", "Dz", "ǳ", "dz", "Ǆ", "DŽ", "ǅ", "Dž", "ǆ", "dž",
	"Ǉ", "LJ", "ǈ", "Lj", "ǉ", "lj", "Ǌ", "NJ", "ǋ", "Nj", "ǌ", "nj",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "ſt", "ﬆ", "st",
)

// fixCharacters writes characters the plain way: the control characters of
// Latin-1 as Windows means them, ligatures apart, usual widths, straight quotes,
// no control characters.
func fixCharacters(text string) string {
	var b strings.Builder
	for _, r := range colour.ReplaceAllString(ligatures.Replace(text), "") {
		switch {
		case r >= 0x80 && r <= 0x9f:
			r = windows(r)
		case r == 0x3000 || r == 0x2028 || r == 0x2029:
			r = ' '
		case r >= 0xff01 && r <= 0xffef:
			b.WriteString(norm.NFKC.String(string(r)))
			continue
		case r == 0x2bc || r >= 0x2018 && r <= 0x201b:
			r = '\''
		case r >= 0x201c && r <= 0x201f:
			r = '"'
		case unshown(r):
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// windows is what Windows means by r, a control character from U+0080 to U+009F.
func windows(r rune) rune {
	if w := charmap.Windows1252.DecodeByte(byte(r)); w != utf8.RuneError {
		return w
	}
	return r
}

// unshown reports whether ftfy takes r away.
func unshown(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\f' && r != '\r'
	case r == 0x7f, r >= 0x206a && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffc:
		return true
	}
	return false
}

// lower is Python's str.lower: İ becomes two characters, and Σ at the end of a
// word is ς.
func lower(text string) string {
	if strings.ContainsAny(text, "İΣ") {
		return cases.Lower(language.Und).String(text)
	}
	return strings.ToLower(text)
}

// appendLowerNFC appends a text cleaned as a tokenizer.json can ask for it:
// normal form C, and each character in lower case for itself.
func appendLowerNFC(dst []byte, text string) []byte {
	from := len(dst)
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			text = norm.NFC.String(strings.ToValidUTF8(text, "\ufffd"))
			return append(dst[:from], strings.ToLower(strings.ReplaceAll(text, "İ", "i\u0307"))...)
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}
