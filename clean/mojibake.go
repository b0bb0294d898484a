package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// mendEncoding repairs text that was decoded with the wrong encoding, and replaces full-width
// letters, digits and punctuation by the ASCII ones.
func mendEncoding(s string, _ Options, _ *findings) string {
	if isASCII(s) {
		return s
	}
	for {
		mended := mendMojibake(s)
		if mended == s {
			return strings.Map(toHalfWidth, s)
		}
		s = mended // which is shorter
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// toHalfWidth returns the plain form of a full-width character.
func toHalfWidth(r rune) rune {
	if '！' <= r && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// mendMojibake replaces each sequence of characters that are the bytes of one UTF-8 character read
// as Windows-1252: "cafÃ©" becomes "café". It undoes one such misreading; a text that was misread
// twice needs two calls. What may be meant as written stays.
func mendMojibake(s string) string {
	var b strings.Builder
	begin, before := 0, ' ' // begin: start of what is not yet written; before: the character before i
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if meant, length := decodeMojibake(before, s[i:]); length > 0 {
			b.WriteString(s[begin:i])
			b.WriteRune(meant)
			r, size = meant, length
			begin = i + length
		}
		i += size
		before = r
	}
	if begin == 0 {
		return s
	}
	b.WriteString(s[begin:])
	return b.String()
}

// decodeMojibake returns the UTF-8 character whose bytes the first characters of s stand for, and
// the length of those characters in s. The length is 0 if s does not begin so. before is the
// character before s.
func decodeMojibake(before rune, s string) (meant rune, length int) {
	first, length := utf8.DecodeRuneInString(s)
	lead, _ := byteOf(first)
	n := 0
	switch {
	case lead >= 0xc2 && lead <= 0xc6, lead == 0xcb: // Â, Ã, Ä, Å, Æ, Ë: European letters
		n = 2
	case lead >= 0xe0 && lead <= 0xef: // à to ï: punctuation and other scripts
		n = 3
	case lead == 0xf0: // ð: emoji
		n = 4
	default:
		return 0, 0
	}
	bytes := [utf8.UTFMax]byte{lead}
	closes := true // whether the characters after the first may end a quotation or a clause
	for i := 1; i < n; i++ {
		r, size := utf8.DecodeRuneInString(s[length:])
		b, ok := byteOf(r)
		if !ok || !isContinuation(b) {
			if i == 2 && lead == 0xe2 && bytes[1] == 0x80 {
				return '”', length // its last byte, 9D, has no character in Windows-1252
			}
			return 0, 0
		}
		bytes[i] = b
		length += size
		closes = closes && strings.ContainsRune("’”…–—™®»", r)
	}
	meant, size := utf8.DecodeRune(bytes[:n])
	if _, isMisread := byteOf(meant); size != n || unicode.IsControl(meant) && !strings.HasSuffix(s[:length], string(meant)) ||
		(lead == 0xc6 || lead == 0xcb) && !isMisread { // Æ and Ë are mended only in text that was misread twice
		return 0, 0
	}
	if closes && unicode.IsLetter(before) {
		if after, _ := utf8.DecodeRuneInString(s[length:]); !unicode.IsLetter(after) {
			return 0, 0 // as in "the ‘CAFÄ’" and "café”…"
		}
	}
	return meant, length
}

func isContinuation(b byte) bool { return 0x80 <= b && b <= 0xbf }

// byteOf returns the byte that Windows-1252 reads as r; if it has none, the byte that Latin-1 reads as r.
func byteOf(r rune) (b byte, ok bool) {
	if 0x80 <= r && r <= 0x9f {
		return byte(r), true
	}
	return charmap.Windows1252.EncodeRune(r)
}
