// Package tokens splits a text into tokens. Each token has its place in the text, its kind, its
// entry in the lexicon, its tag and its lemma.
package tokens

import (
	"slices"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/schemas"
)

// Reader splits texts into tokens with tags and lemmas. It is safe for concurrent use.
type Reader struct {
	Lexicon *Lexicon
	known   knownNames
	persons persons
	Tagger  *Tagger
}

// NewReader returns a reader without a tagger. words and names are the model's sections of that
// name.
func NewReader(words, names string) (*Reader, error) {
	l, err := readLexicon(words)
	if err != nil {
		return nil, err
	}
	return &Reader{Lexicon: l, known: readKnownNames(names), persons: readPersons(personsFile)}, nil
}

// Text is a text and its tokens. Its memory is reused for the next text.
type Text struct {
	Low    string // the text in lower case, byte for byte
	Tokens []Token
	Bytes  []byte
}

// Read tokenises and tags text into t.
func (r *Reader) Read(t *Text, text string) {
	t.Low, t.Bytes = ToLower(text, t.Bytes)
	t.Tokens = Tokenize(text, t.Low, t.Tokens[:0])
	r.Lexicon.Annotate(t.Tokens)
	r.Tagger.Tag(t.Tokens)
	for i := range t.Tokens {
		s := &t.Tokens[i]
		base := r.Lexicon.PlainForm(s)
		s.Lemma, s.IsBe = linear.Hash(base), base == "be"
	}
	markMeasures(t.Tokens)
	r.known.markNames(t.Low, t.Tokens)
	r.persons.markPersons(t.Tokens)
	locateTokens(t.Tokens)
}

// AppendTokens appends the tokens of t as package schemas has them.
func (r *Reader) AppendTokens(t *Text, out []schemas.Token) []schemas.Token {
	out = slices.Grow(out, len(t.Tokens))
	for i := range t.Tokens {
		s := &t.Tokens[i]
		out = append(out, schemas.Token{Begin: s.Begin, End: s.End, Tag: s.Tag.String(), Lemma: r.Lexicon.lemmaOf(s)})
	}
	return out
}

// tokenPlace is the place of a token in its run and its part. A run is a sequence of words without
// a preposition, an article, a conjunction or punctuation. Punctuation separates parts. Counts are
// at most maxDistance.
type tokenPlace struct {
	Behind, Ahead uint8  // number of tokens before it and after it in its run
	Last          int32  // the last token of its run
	Opens, Closes uint32 // hashes of the tokens before and after its run
	Part          uint8  // number of parts before its own
	Rest          uint8  // number of tokens after it in its part
	Title         uint8  // share of capitalised words in the text, from 0 to 3
}

const maxDistance = 7

// locateTokens sets the places of ts.
func locateTokens(ts []Token) {
	words, capitals := 0, 0
	for i := range ts {
		if t := &ts[i]; t.Kind != Mark && t.Kind != Clitic {
			words++
			if t.Capital {
				capitals++
			}
		}
	}
	title := uint8(0)
	switch {
	case capitals == 0:
	case 2*capitals < words:
		title = 1
	case 8*capitals < 7*words:
		title = 2
	default:
		title = 3
	}
	var parts uint8
	for from := 0; from < len(ts); {
		if isOutsideRun(&ts[from]) {
			ts[from].Place = tokenPlace{Opens: Border.Hash, Closes: Border.Hash, Part: parts, Title: title, Last: int32(from)}
			if ts[from].Kind == Mark && ts[from].Low != "-" {
				parts = min(parts+1, maxDistance)
			}
			from++
			continue
		}
		to := from
		for to < len(ts) && !isOutsideRun(&ts[to]) {
			to++
		}
		p := tokenPlace{Opens: Border.Hash, Closes: Border.Hash, Part: parts, Title: title, Last: int32(to - 1)}
		if from > 0 {
			p.Opens = ts[from-1].Hash
		}
		if to < len(ts) {
			p.Closes = ts[to].Hash
		}
		for i := from; i < to; i++ {
			p.Behind, p.Ahead = uint8(min(i-from, maxDistance)), uint8(min(to-1-i, maxDistance))
			ts[i].Place = p
		}
		from = to
	}
	rest := uint8(0)
	for i := len(ts) - 1; i >= 0; i-- {
		if ts[i].Kind == Mark && ts[i].Low != "-" {
			rest = 0
			continue
		}
		ts[i].Place.Rest = rest
		rest = min(rest+1, maxDistance)
	}
}

// isOutsideRun reports whether t belongs to no run.
func isOutsideRun(t *Token) bool {
	if t.Kind == Mark || t.IsBe {
		return true
	}
	switch t.Tag {
	case penn.IN, penn.TO, penn.CC, penn.DT, penn.PRPS, penn.PRP, penn.MD, penn.WDT, penn.WP, penn.WRB, penn.EX, penn.PDT, penn.VBZ, penn.VBP, penn.POS:
		return true
	}
	return false
}

// measureNouns are nouns that count or measure the noun after "of". They belong to no predicate.
const measureNouns = " body bodies bunch bunches pair pairs piece pieces group groups slice slices couple lot lots number variety herd flock pack row rows amount assortment collection set array "

// markMeasures sets IsMeasure for phrases such as "bunch of".
func markMeasures(ts []Token) {
	for i := range ts {
		t := &ts[i]
		t.IsMeasure = i+1 < len(ts) && ts[i+1].Low == "of" && penn.IsNoun(t.Tag) && t.IsOneOf(measureNouns) ||
			i > 0 && t.Low == "of" && ts[i-1].IsMeasure
	}
}
