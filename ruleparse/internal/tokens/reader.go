// Package tokens takes a text apart into tokens and says of each where it is, what it is made
// of, what the lexicon knows of it, its tag and its lemma.
package tokens

import (
	"slices"

	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/schemas"
)

// Reader takes texts apart into tokens with tags and lemmas. It is safe for concurrent use.
type Reader struct {
	Lexicon *Lexicon
	known   knownNames
	persons persons
	closed  map[string]penn.Tag
	Tagger  *Tagger // nil: tags by the lexicon alone
}

// NewReader returns a reader with a lexicon and names in the forms that the model has them
// in, without a tagger.
func NewReader(words, names string) (*Reader, error) {
	l, err := readLexicon(words)
	if err != nil {
		return nil, err
	}
	return &Reader{Lexicon: l, known: readKnownNames(names), persons: readPersons(personsFile), closed: closedTags()}, nil
}

// Text is a text and its tokens; its memory is used again for the next.
type Text struct {
	Low    string // the text in lower case, byte for byte
	Tokens []Token
	Bytes  []byte
}

// Read tokenises and tags text into t.
func (r *Reader) Read(t *Text, text string) {
	t.Low, t.Bytes = Lower(text, t.Bytes)
	t.Tokens = Tokenize(text, t.Low, t.Tokens[:0])
	r.Lexicon.Look(t.Tokens)
	if r.Tagger != nil {
		r.Tagger.Run(t.Tokens)
	} else {
		tagByLexicon(r.closed, t.Tokens)
	}
	for i := range t.Tokens {
		s := &t.Tokens[i]
		base := r.Lexicon.Plain(s)
		s.Lemma, s.Be = linear.Hash(base), base == "be"
	}
	markMeasures(t.Tokens)
	r.known.mark(t.Low, t.Tokens)
	r.persons.mark(t.Tokens)
	locate(t.Tokens)
}

// AppendTokens appends the tokens of t as the schema has them.
func (r *Reader) AppendTokens(t *Text, out []schemas.Token) []schemas.Token {
	out = slices.Grow(out, len(t.Tokens))
	for i := range t.Tokens {
		s := &t.Tokens[i]
		out = append(out, schemas.Token{Begin: s.Begin, End: s.End, Tag: s.Tag.String(), Lemma: r.Lexicon.lemma(s)})
	}
	return out
}
