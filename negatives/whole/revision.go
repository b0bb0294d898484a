package whole

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/schemas"
)

// revision compares a caption and an author's version of it word by word. Both are without their final full stop.
type revision struct {
	caption, text string
	end           string // the caption's final punctuation
	before, after schemas.Parsed
	low, new      []string // tokens in lower case
	kept          []int    // for each token of the text, the equal token of the caption, or −1
	table         []uint16
}

// maxRevised is the most tokens of a caption or a text that are compared.
const maxRevised = 512

// begin sets the caption.
func (r *revision) begin(caption string, reader Reader) {
	r.caption = trimFinalStop(caption)
	r.end = caption[len(r.caption):]
	reader.ParseText(r.caption, &r.before)
	r.before.Graph.KeepAsserted()
	r.low = lowerTokens(r.low[:0], r.caption, r.before.Tokens)
}

// revise sets the author's text. Words that the caption has too get its spelling. It returns false if the text is not a
// caption: it has more sentences or many more words than the caption, other symbols, or no end.
func (r *revision) revise(written string, reader Reader) bool {
	written = trimFinalStop(strings.Join(strings.Fields(norm.NFC.String(straightQuotes.Replace(written))), " "))
	if written == "" || len(written) > 2*len(r.caption)+maxAdded || strings.ContainsFunc(written, unicode.IsControl) {
		return false
	}
	r.readText(written, reader)
	if len(r.new) == 0 || len(r.low) == 0 || len(r.new) > maxRevised || len(r.low) > maxRevised {
		return false
	}
	r.align()
	for k, word := range r.new {
		if r.kept[k] < 0 && word != "," && word != "'s" && !grammar.Sayable(word) {
			return false
		}
	}
	if text := string(r.compose()); text != written {
		r.readText(text, reader)
		r.align()
	}
	return countStops(r.new) == countStops(r.low)
}

// maxAdded is the number of bytes by which a text may be longer than twice its caption.
const maxAdded = 80

// straightQuotes replaces curly quotation marks by straight ones, as captions are cleaned.
var straightQuotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)

func (r *revision) readText(text string, reader Reader) {
	r.text = text
	reader.ParseText(text, &r.after)
	r.after.Graph.KeepAsserted()
	r.new = lowerTokens(r.new[:0], text, r.after.Tokens)
}

// trimFinalStop returns a caption without its final punctuation.
func trimFinalStop(caption string) string { return strings.TrimRight(caption, " .!?") }

func lowerTokens(dst []string, text string, tokens []schemas.Token) []string {
	for _, t := range tokens {
		dst = append(dst, strings.ToLower(text[t.Begin:t.End]))
	}
	return dst
}

// countStops counts the tokens that end a sentence.
func countStops(tokens []string) (n int) {
	for _, t := range tokens {
		if t == "." || t == "!" || t == "?" || t == ";" {
			n++
		}
	}
	return n
}

// align sets kept from the longest common subsequence of the tokens of caption and text.
func (r *revision) align() {
	n, m := len(r.low), len(r.new)
	r.table = schemas.Resize(r.table, (n+1)*(m+1))
	clear(r.table)
	at := func(i, k int) *uint16 { return &r.table[i*(m+1)+k] }
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			if r.low[i] == r.new[k] {
				*at(i, k) = *at(i+1, k+1) + 1
			} else {
				*at(i, k) = max(*at(i+1, k), *at(i, k+1))
			}
		}
	}
	r.kept = schemas.Resize(r.kept, m)
	for i, k := 0, 0; k < m; {
		switch {
		case i < n && r.low[i] == r.new[k]:
			r.kept[k] = i
			i, k = i+1, k+1
		case i < n && *at(i+1, k) >= *at(i, k+1):
			i++
		default:
			r.kept[k] = -1
			k++
		}
	}
}

// countChanges counts the places in which the text differs from the caption.
func (r *revision) countChanges() (n int) {
	next, open := 0, false // the caption's next token after the last kept one; whether the last token was new
	for _, i := range r.kept {
		switch {
		case i < 0 && !open:
			n, open = n+1, true
		case i >= 0:
			if i != next && !open {
				n++
			}
			next, open = i+1, false
		}
	}
	if next != len(r.low) && !open {
		n++
	}
	return n
}

// revisedWord is a token in lower case, and its lemma.
type revisedWord struct{ lower, lemma string }

// changedWords returns the words of the caption that the text does not keep, and the words that it has instead. It
// leaves out the words unsaying.
func (r *revision) changedWords() (was, is []revisedWord) {
	stays := make([]bool, len(r.low))
	for k, i := range r.kept {
		if t := &r.after.Tokens[k]; i >= 0 {
			stays[i] = true
		} else if isContentWord(t) {
			is = append(is, revisedWord{r.new[k], t.Lemma})
		}
	}
	for i := range r.low {
		if t := &r.before.Tokens[i]; !stays[i] && isContentWord(t) {
			was = append(was, revisedWord{r.low[i], t.Lemma})
		}
	}
	return was, is
}

// compose returns the text, with the caption's words and spaces where it has them, and the caption's case elsewhere.
func (r *revision) compose() []byte {
	spelling := spellingOf(r.caption, r.before.Tokens)
	out := make([]byte, 0, len(r.text)+8)
	for k, t := range r.after.Tokens {
		i := r.kept[k]
		switch {
		case k == 0:
		case i > 0 && r.kept[k-1] == i-1:
			out = append(out, r.caption[r.before.Tokens[i-1].End:r.before.Tokens[i].Begin]...)
		default:
			out = append(out, r.text[r.after.Tokens[k-1].End:t.Begin]...)
		}
		word := r.text[t.Begin:t.End]
		if i >= 0 {
			word = r.caption[r.before.Tokens[i].Begin:r.before.Tokens[i].End]
		}
		out = append(out, spelling.spell(word, k == 0, i == 0, i >= 0)...)
	}
	return out
}

// spelling is the case of a caption.
type spelling struct {
	none, all, titled bool
	first             bool // its first word has a capital
	named             bool // of the name
}

func spellingOf(caption string, tokens []schemas.Token) spelling {
	lower, upper := strings.ToLower(caption), strings.ToUpper(caption)
	s := spelling{none: caption == lower, all: caption == upper && lower != upper, titled: len(tokens) > 2}
	for i, t := range tokens {
		word := caption[t.Begin:t.End]
		if i == 0 {
			s.first, s.named = say.IsCapital(word), strings.HasPrefix(t.Tag, "NNP") || say.IsAcronym(word) || word == "I"
		}
		if len(word) > 3 && !say.IsCapital(word) {
			s.titled = false
		}
	}
	return s
}

// spell returns a word in the case of the caption. begins is set if the word begins the text, began if it began the
// caption, and said if the caption has it.
func (s spelling) spell(word string, begins, began, said bool) string {
	letter, size := utf8.DecodeRuneInString(word)
	switch {
	case said && begins == began:
		return word
	case s.none:
		return strings.ToLower(word)
	case s.all:
		return strings.ToUpper(word)
	case begins && s.first, s.titled && len(word) > 3:
		return string(unicode.ToUpper(letter)) + word[size:]
	case began && s.first && !s.named, begins && !s.first && !say.IsAcronym(word):
		return string(unicode.ToLower(letter)) + word[size:]
	}
	return word
}

// articlesFit reports whether "a" or "an" fits the word after it wherever the text does not keep both from the caption.
func (r *revision) articlesFit() bool {
	for k := range len(r.new) - 1 {
		if r.new[k] != "a" && r.new[k] != "an" || r.kept[k] >= 0 && r.kept[k+1] == r.kept[k]+1 {
			continue
		}
		if lexicon.Article(r.text[r.after.Tokens[k+1].Begin:]) != r.new[k] {
			return false
		}
	}
	return true
}

// hasSameWords reports whether caption and text have the same content words, in any order.
func (r *revision) hasSameWords() bool {
	return slices.Equal(slices.Sorted(slices.Values(contentLemmas(r.before.Tokens))), slices.Sorted(slices.Values(contentLemmas(r.after.Tokens))))
}

// hasSameOrder reports whether caption and text have the same content words in the same order.
func (r *revision) hasSameOrder() bool {
	return slices.Equal(contentLemmas(r.before.Tokens), contentLemmas(r.after.Tokens))
}

// contentLemmas returns the lemmas of the content words: all but the words unsaying and punctuation.
func contentLemmas(tokens []schemas.Token) []string {
	var all []string
	for i := range tokens {
		if t := &tokens[i]; isContentWord(t) {
			all = append(all, t.Lemma)
		}
	}
	return all
}

func isContentWord(t *schemas.Token) bool {
	letter, _ := utf8.DecodeRuneInString(t.Lemma)
	return (unicode.IsLetter(letter) || unicode.IsDigit(letter)) && !wordclass.Has(unsaying, t.Lemma)
}
