package say

import (
	_ "embed"
	"strings"

	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// paraphrases.tsv has words and phrases with their paraphrases.
var (
	//go:embed paraphrases.tsv
	paraphrasesFile string

	Paraphrases = truth.ReadTables(paraphrasesFile)
)

// Way is a kind of paraphrase of a sub-graph. Negatives of a paraphrase have the same kind.
type Way uint8

const (
	AsIs       Way = iota
	turnedWay      // "a cup held by a man"
	EndedWay       // "a man standing beside a horse"
	atWay          // "a table with a cat on it"
	isWay          // "a man on a horse that is white"
	RenamedWay     // "a man on a sofa"
	colourWay      // "a white and black cat"
	WayCount
)

// OtherWords paraphrases phrases. Its maps have the rows of paraphrases.tsv: from a relation to its
// reverse, and from a preposition, a noun or an attribute to its synonym.
type OtherWords struct {
	words                           *words.Cache
	turned, ends, nouns, attributes map[string]string
}

// NewOtherWords makes the maps from the rows of paraphrases.tsv.
func NewOtherWords(w *words.Cache) OtherWords {
	o := OtherWords{w, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for _, t := range []struct {
		name string
		both bool
		to   map[string]string
	}{
		{"turned", true, o.turned}, {"ends", true, o.ends}, {"less", false, o.ends},
		{"nouns", true, o.nouns}, {"wider nouns", false, o.nouns}, {"attributes", true, o.attributes},
	} {
		for _, r := range Paraphrases[t.name] {
			t.to[r.Words] = r.Others
			if t.both {
				t.to[strings.TrimPrefix(r.Others, "being ")] = r.Words
			}
		}
	}
	return o
}

// Paraphrase paraphrases a phrase in one way. It returns false if that is not possible; p is then
// undefined.
func (w *OtherWords) Paraphrase(p *Phrase, by Way) bool {
	related := p.Relation != nil
	switch by {
	case turnedWay:
		return related && w.reverseRelation(p)
	case EndedWay:
		return related && w.replacePreposition(p)
	case atWay:
		p.Template = &atTemplate
		return related && canBeginWithPlace(p)
	case isWay:
		return moveAttribute(p)
	case RenamedWay: // not of a noun alone, which would have no negative
		renamed := w.replaceBySynonyms(&p.Subject)
		return related && w.replaceBySynonyms(&p.Object) || renamed && (related || p.Subject.N > 0)
	case colourWay:
		turned := swapColours(&p.Subject)
		return related && swapColours(&p.Object) || turned
	}
	return false
}
