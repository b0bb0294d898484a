package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/penn"
)

// tokenKind is the kind of a token's characters.
type tokenKind uint8

const (
	Letters tokenKind = iota // a word, perhaps with digits, hyphens or dots in it
	Digits                   // a number: "3", "1,000", "3.5"
	Clitic                   // "'s", "n't", "'re"
	Mark                     // punctuation, a symbol, an emoji, a broken byte
	address                  // a URL
)

// Token is a token during parsing: its place, its spelling in lower case, and its properties from the lexicon and the
// tagger.
type Token struct {
	Begin, End int32
	Low        string
	Hash       uint32
	Entry      int32 // index into the lexicon, or -1
	Flags      Flags
	Class      uint8 // WordNet's lexicographer file of the noun; 0 for none
	Kind       tokenKind
	Capital    bool // its first letter is upper-case
	Capitals   bool // it has no lower-case letter
	Spaced     bool // white space, or the text's begin, precedes it
	Tag        penn.Tag
	IsBe       bool   // a form of "be"
	IsFinite   bool   // a verb by [SubjectVerbs] that is in no object
	IsMeasure  bool   // a noun such as "bunch" before "of", or that "of"
	NamePart   uint8  // NameBegin, NameInside, or 0 outside names
	Lemma      uint32 // hash of the base form
	Place      tokenPlace
}

// Tokenize appends the tokens of text to out. low is text in lower case with the same byte offsets. Tokens are
// non-empty, do not overlap, and have only white space and control characters between them.
func Tokenize(text, low string, out []Token) []Token {
	i := 0
	spaced := true
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if IsBlank(r) {
			i += n
			spaced = true
			continue
		}
		end, k := i+n, Mark
		switch {
		case r == utf8.RuneError && n == 1:
		case isApostrophe(r):
			if e := cliticEnd(low, i+n); e > 0 {
				end, k = e, Clitic
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if e := addressEnd(low, i); e > 0 {
				end, k = e, address
				break
			}
			end, k = wordEnd(text, i)
		case r == '-' && len(out) > 0 && isHyphenated(low, &out[len(out)-1], i):
			last := &out[len(out)-1]
			i, _ = wordEnd(text, i+2)
			last.End, last.Low = int32(i), low[last.Begin:i]
			spaced = false
			continue
		default:
			for end < len(text) && strings.HasPrefix(text[end:], text[i:i+n]) {
				end += n
			}
		}
		if k == Letters {
			if cut := negationStart(low[i:end]); cut > 0 {
				out = append(out, Token{Begin: int32(i), End: int32(i + cut), Low: low[i : i+cut], Kind: Letters, Capital: unicode.IsUpper(r), Spaced: spaced})
				i, spaced, k, r = i+cut, false, Clitic, 'n'
			}
		}
		out = append(out, Token{Begin: int32(i), End: int32(end), Low: low[i:end], Kind: k, Capital: k == Letters && unicode.IsUpper(r), Capitals: k == Letters && isAllUpper(text[i:end]), Spaced: spaced})
		i, spaced = end, false
	}
	return out
}

// IsBlank reports whether a character separates tokens: white space or a control character.
func IsBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// Shape returns a number below 16 for the kind of t and its capitals.
func (t *Token) Shape() uint32 {
	s := uint32(t.Kind) * 3
	switch {
	case t.Capitals:
		return s + 2
	case t.Capital:
		return s + 1
	}
	return s
}

// isAllUpper reports whether a word has two letters or more, all upper-case.
func isAllUpper(word string) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsLower(r) {
			return false
		}
		letters++
	}
	return letters > 1
}

// Words before and after a hyphen that captions of CC3M write with spaces: "middle - aged", "hand - drawn".
const (
	hyphenFirst = " anti bas cross ex half high ill low mid middle multi must non peep pre quarter self semi sub t ultra well "
	hyphenLast  = " aged based bodied built catching coated colored coloured controlled covered dappled dotted drawn dressed driven efficient embroidered eyed faced fated filled fitting flagged friendly funded haired handed headed inspired legged lined lit loaded old painted piece plated powered proof repellant repellent shaped sized sleeved striped studded style styled taught tempered theme themed toed topped winged winning worthy wrapped woven "
)

// isHyphenated reports whether the hyphen at byte i, which has spaces around it, joins the words.
func isHyphenated(low string, last *Token, i int) bool {
	if last.Kind != Letters || int(last.End)+1 != i || low[i-1] != ' ' || i+2 >= len(low) || low[i+1] != ' ' || !isLetterAt(low, i+2) {
		return false
	}
	end, _ := wordEnd(low, i+2)
	return wordclass.Has(hyphenLast, low[i+2:end]) || last.IsOneOf(hyphenFirst) || end-i > 5 && strings.HasSuffix(low[i+2:end], "ed") && canQualifyNext(low, end)
}

// canQualifyNext reports whether the participle that ends at byte i can modify the next word, which must be neither a
// preposition nor an article.
func canQualifyNext(low string, i int) bool {
	if i+1 >= len(low) || low[i] != ' ' || !isLetterAt(low, i+1) {
		return false
	}
	end, _ := wordEnd(low, i+1)
	return !wordclass.Has(" a an and around as at by during for from her his in into its of on or out over the their to up with ", low[i+1:end])
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// cliticEnd returns the end of a clitic such as "s" or "ll" whose letters begin at byte i, or 0.
func cliticEnd(low string, i int) int {
	for _, c := range [...]string{"s", "re", "ve", "ll", "d", "m"} {
		if strings.HasPrefix(low[i:], c) && !isLetterAt(low, i+len(c)) {
			return i + len(c)
		}
	}
	return 0
}

// negationStart returns the byte in a word where "n't" begins, or 0.
func negationStart(w string) int {
	for _, c := range [...]string{"n't", "n’t"} {
		if len(w) > len(c) && strings.HasSuffix(w, c) {
			return len(w) - len(c)
		}
	}
	return 0
}

// addressEnd returns the end of a URL that begins at byte i, or 0.
func addressEnd(low string, i int) int {
	for _, p := range [...]string{"http://", "https://", "www."} {
		if strings.HasPrefix(low[i:], p) {
			if n := strings.IndexFunc(low[i:], IsBlank); n >= 0 {
				return i + n
			}
			return len(low)
		}
	}
	return 0
}

// wordEnd returns the end of the word or number that begins at byte i. If a letter or a digit follows, it includes
// hyphens, underscores, the apostrophe of a negation, and dots of abbreviations and numbers.
func wordEnd(text string, i int) (int, tokenKind) {
	k := Digits
	j := i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		switch {
		case unicode.IsDigit(r) || unicode.IsMark(r):
		case unicode.IsLetter(r):
			k = Letters
		case r == '-' || r == '_':
			if !isWordAt(text, j+n) {
				return j, k
			}
		case r == '.' || r == ',':
			abbreviation := r == '.' && k == Letters && j-i == 1 && isLetterAt(text, j+1) ||
				r == '.' && k == Letters && j-i >= 3 && text[j-2] == '.' // u.s.a.
			number := k == Digits && isDigitAt(text, j+1)
			if !abbreviation && !number {
				return j, k
			}
		case isApostrophe(r):
			if !(j > i && (text[j-1]|0x20) == 'n' && j+n < len(text) && (text[j+n]|0x20) == 't' && !isLetterAt(text, j+n+1)) &&
				!(j == i+1 && (text[i]|0x20) == 'o' && isLetterAt(text, j+n)) { // n't, o'clock
				return j, k
			}
		default:
			return j, k
		}
		j += n
	}
	return j, k
}

func isLetterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

func isDigitAt(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

func isWordAt(s string, i int) bool { return isLetterAt(s, i) || isDigitAt(s, i) }

// ToLower returns s in lower case with the same byte offsets: a letter whose lower case has another length is kept. If
// nothing changes, it returns s itself.
func ToLower(s string, buf []byte) (string, []byte) {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return s, buf
	}
	buf = append(buf[:0], s...)
	changed := false
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				buf[i] = c + 'a' - 'A'
				changed = true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n && r != utf8.RuneError {
			utf8.EncodeRune(buf[i:i+n], l)
			changed = true
		}
		i += n
	}
	if !changed {
		return s, buf
	}
	return string(buf), buf
}

// Border stands for tokens outside a text.
var Border = Token{Hash: 0x5bd1e995, Lemma: 0x5bd1e995, Tag: penn.XX, Low: " "}

// AtOrBorder returns token i of ts, or [Border] if i is outside.
func AtOrBorder(ts []Token, i int32) *Token {
	if i < 0 || int(i) >= len(ts) {
		return &Border
	}
	return &ts[i]
}

// WordNet's lexicographer files of nouns, as rules use them.
const (
	ClassAct           = 4
	ClassAnimal        = 5
	ClassArtifact      = 6
	ClassAttribute     = 7
	ClassBody          = 8
	ClassCognition     = 9
	ClassCommunication = 10
	ClassEvent         = 11
	ClassFeeling       = 12
	ClassFood          = 13
	ClassGroup         = 14
	ClassPerson        = 18
	ClassRelation      = 24
	ClassState         = 26
	ClassTime          = 28
)

// namesakes are words for things whose first sense in WordNet is a person, an animal or a group.
var namesakes = wordclass.Words("namesakes")

// IsPerson reports whether t names a person. It corrects WordNet, which has "person" as a thing and "locals" as trains.
func (t *Token) IsPerson() bool {
	return t.Class == ClassPerson && !t.IsOneOf(namesakes) || t.IsOneOf(" locals person persons ")
}

// IsAlive reports whether t names a person, an animal or a group.
func (t *Token) IsAlive() bool {
	lives := t.Class == ClassAnimal || t.Class == ClassGroup
	return t.IsPerson() || lives && !t.IsOneOf(namesakes) || t.IsOneOf(" animal animals ")
}
