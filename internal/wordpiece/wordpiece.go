// Package wordpiece divides words into pieces of a vocabulary, as BERT does (Devlin et al. 2019; Wu et
// al. 2016): "juggles" becomes "jug" and "##gles".
package wordpiece

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Vocabulary divides words into pieces. It is safe for concurrent use.
type Vocabulary struct {
	words      map[string]int32 // pieces that begin a word
	rests      map[string]int32 // pieces that continue one, without their "##"
	longest    int              // bytes of the longest piece
	Begin, End int32            // identifiers of the tokens that begin and end a text
	unknown    int32
}

// New returns a vocabulary of pieces. The identifier of a piece is its index.
func New(pieces []string) (*Vocabulary, error) {
	v := &Vocabulary{words: make(map[string]int32, len(pieces)), rests: make(map[string]int32, len(pieces)/4)}
	for id, p := range pieces {
		if rest, ok := strings.CutPrefix(p, "##"); ok && rest != "" {
			v.rests[rest] = int32(id)
		}
		v.words[p] = int32(id)
		v.longest = max(v.longest, len(p))
	}
	for _, mark := range []struct {
		name string
		id   *int32
	}{{"[CLS]", &v.Begin}, {"[SEP]", &v.End}, {"[UNK]", &v.unknown}} {
		id, ok := v.words[mark.name]
		if !ok {
			return nil, fmt.Errorf("vocabulary: no piece %s", mark.name)
		}
		*mark.id = id
	}
	return v, nil
}

// AppendPieces appends the pieces of a word to out, at least one.
func (v *Vocabulary) AppendPieces(word string, out []int32) []int32 {
	if isPlain(word) {
		if id, ok := v.words[word]; ok {
			return append(out, id)
		}
		return v.appendPieces(word, out)
	}
	start := len(out)
	for _, part := range strings.Fields(spacePunctuation(normaliseWord(word))) {
		out = v.appendPieces(part, out)
	}
	if len(out) == start {
		out = append(out, v.unknown)
	}
	return out
}

// isPlain reports whether a word has only lower-case ASCII letters and digits.
func isPlain(word string) bool {
	for _, c := range []byte(word) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return word != ""
}

// maxWord is the largest number of characters of a word that is divided; longer ones are unknown.
const maxWord = 100

// appendPieces appends the pieces of a word: the longest that the word begins with, then the longest
// of the rest, and so on.
func (v *Vocabulary) appendPieces(word string, out []int32) []int32 {
	if len(word) > maxWord && utf8.RuneCountInString(word) > maxWord {
		return append(out, v.unknown)
	}
	start, table := len(out), v.words
	for rest := word; rest != ""; table = v.rests {
		end := min(len(rest), v.longest)
		id, ok := table[rest[:end]]
		for !ok && end > 1 {
			end--
			id, ok = table[rest[:end]]
		}
		if !ok {
			return append(out[:start], v.unknown)
		}
		out, rest = append(out, id), rest[end:]
	}
	return out
}

// normaliseWord returns a word in lower case without accents and control characters, and with spaces
// around each Chinese character.
func normaliseWord(word string) string {
	var b strings.Builder
	for _, r := range word {
		switch {
		case r == 0 || r == utf8.RuneError || isControl(r):
		case isSpace(r):
			b.WriteByte(' ')
		case isChinese(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	word = norm.NFD.String(b.String())
	b.Reset()
	for _, r := range word {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// spacePunctuation puts spaces around punctuation.
func spacePunctuation(word string) string {
	var b strings.Builder
	for _, r := range word {
		if isPunctuation(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isSpace(r rune) bool { return r == '\t' || r == '\n' || r == '\r' || unicode.IsSpace(r) }

// isControl reports whether r is a control or format character, or for private use.
func isControl(r rune) bool {
	if r == '\t' || r == '\n' || r == '\r' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isPunctuation reports whether r is punctuation, or a symbol of ASCII.
func isPunctuation(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}

// chinese are the blocks of characters of which each is a word.
var chinese = [...][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b820, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}}

func isChinese(r rune) bool {
	if r < chinese[1][0] {
		return false
	}
	for _, c := range chinese {
		if c[0] <= r && r <= c[1] {
			return true
		}
	}
	return false
}
