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

// revision is a caption and an author's version of it, word by word. Its texts have no full stop at
// their end.
type revision struct {
	caption, text string
	end           string // of the caption: its full stop
	before, after schemas.Parsed
	low, new      []string // tokens in lower case
	kept          []int    // of each token of the text, the token of the caption that it is, or −1
	table         []uint16
}

// maxRevised bounds the tokens of a caption, and of a text, that are compared.
const maxRevised = 512

// begin reads a caption.
func (r *revision) begin(caption string, reader Reader) {
	r.caption = trimFinalStop(caption)
	r.end = caption[len(r.caption):]
	reader.ParseText(r.caption, &r.before)
	r.before.Graph.KeepAsserted()
	r.low = lowerTokens(r.low[:0], r.caption, r.before.Tokens)
}

// revise reads an author's text and spells all words as the caption does that both have. It returns false if the text is no caption: more sentences or many more words than the
// caption, other signs, or no end.
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

// maxAdded bounds by how many bytes a text is more than twice as long as its caption.
const maxAdded = 80

// straightQuotes makes the quotation marks of clean captions.
var straightQuotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)

func (r *revision) readText(text string, reader Reader) {
	r.text = text
	reader.ParseText(text, &r.after)
	r.after.Graph.KeepAsserted()
	r.new = lowerTokens(r.new[:0], text, r.after.Tokens)
}

// trimFinalStop is a caption without the full stop at its end.
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

// align finds the longest sequence of tokens that caption and text have in common.
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
	next, open := 0, false // the token of the caption that would follow, and whether the last was new
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

// changedWords returns the words of the caption that the text has not at their place, and the words
// that it has there, except words of negation.
func (r *revision) changedWords() (was, is []revisedWord) {
	stays := make([]bool, len(r.low))
	for k, i := range r.kept {
		if t := &r.after.Tokens[k]; i >= 0 {
			stays[i] = true
		} else if hasContent(t) {
			is = append(is, revisedWord{r.new[k], t.Lemma})
		}
	}
	for i := range r.low {
		if t := &r.before.Tokens[i]; !stays[i] && hasContent(t) {
			was = append(was, revisedWord{r.low[i], t.Lemma})
		}
	}
	return was, is
}

// compose is the text with the words and spaces of the caption if it has them, and its
// case elsewhere.
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
		out = append(out, spelling.of(word, k == 0, i == 0, i >= 0)...)
	}
	return out
}

// spelling is how a caption has capitals.
type spelling struct {
	none, all, titled bool
	first             bool // it begins with one
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

// of is a word as the caption would have it: at its beginning, or that was there, or that
// is one of its words elsewhere.
func (s spelling) of(word string, begins, began, said bool) string {
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

// articlesFit reports whether each article that the text does not have of the caption fits the word
// after it.
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

// hasSameWords reports whether caption and text have the same words, but for those that say
// nothing by themselves, in whatever order.
func (r *revision) hasSameWords() bool {
	return slices.Equal(slices.Sorted(slices.Values(contentLemmas(r.before.Tokens))), slices.Sorted(slices.Values(contentLemmas(r.after.Tokens))))
}

// hasSameOrder reports whether they have them in the same order.
func (r *revision) hasSameOrder() bool {
	return slices.Equal(contentLemmas(r.before.Tokens), contentLemmas(r.after.Tokens))
}

// contentLemmas are the lemmas of the tokens but for articles, conjunctions, auxiliaries and signs.
func contentLemmas(tokens []schemas.Token) []string {
	var all []string
	for i := range tokens {
		if t := &tokens[i]; hasContent(t) {
			all = append(all, t.Lemma)
		}
	}
	return all
}

func hasContent(t *schemas.Token) bool {
	letter, _ := utf8.DecodeRuneInString(t.Lemma)
	return (unicode.IsLetter(letter) || unicode.IsDigit(letter)) && !wordclass.Has(unsaying, t.Lemma)
}
