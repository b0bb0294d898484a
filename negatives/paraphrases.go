package negatives

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// paraphrases.tsv has what says the same in other words.
var (
	//go:embed paraphrases.tsv
	paraphrasesFile string

	paraphrases = readTables(paraphrasesFile)
)

// way is a way of saying a sub-graph in other words; what is made of it is said so too.
type way uint8

const (
	asIs       way = iota
	turnedWay      // "a cup held by a man"
	endedWay       // "a man standing beside a horse"
	atWay          // "a table with a cat on it"
	isWay          // "a man on a horse that is white"
	renamedWay     // "a man on a sofa"
	colourWay      // "a white and black cat"
	wayCount
)

// otherWords says phrases in other words, by the rows of paraphrases.tsv, which are by their words here.
type otherWords struct {
	words                           *words
	turned, ends, nouns, attributes map[string]string
}

// newOtherWords reads the tables.
func newOtherWords(w *words) otherWords {
	o := otherWords{w, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for _, t := range []struct {
		name string
		both bool
		to   map[string]string
	}{
		{"turned", true, o.turned}, {"ends", true, o.ends}, {"less", false, o.ends},
		{"nouns", true, o.nouns}, {"wider nouns", false, o.nouns}, {"attributes", true, o.attributes},
	} {
		for _, r := range paraphrases[t.name] {
			t.to[r.words] = r.others
			if t.both {
				t.to[strings.TrimPrefix(r.others, "being ")] = r.words
			}
		}
	}
	return o
}

// paraphrase says some of a caption's sub-graphs again, in other words, each after the one
// it says, as far as there is room for most positives.
func (g *Generator) paraphrase(caption int, pool *schemas.Pool, most int) {
	g.plain = append(g.plain[:0], g.said[caption]...)
	slices.SortStableFunc(g.plain, func(a, b said) int { return cmp.Compare(a.of, b.of) }) // what the caption says first
	g.before = append(g.before[:0], pool.Positives...)
	pool.Positives = pool.Positives[:1]
	all := g.said[caption][:0]
	for i := range g.plain {
		s := &g.plain[i]
		if s.of > 0 {
			if len(pool.Positives) == most {
				break
			}
			pool.Positives, s.of = append(pool.Positives, g.before[s.of]), int16(len(pool.Positives))
		}
		all = append(all, *s)
		if len(pool.Positives) == most || !g.sayOtherwise(s) {
			continue
		}
		s.of = int16(len(pool.Positives))
		pool.Positives = append(pool.Positives, schemas.Positive{Text: pool.Keep(g.text), Kind: schemas.KindParaphrase, ID: scenegraph.NormalizedID(g.normal)})
		all = append(all, *s)
	}
	g.said[caption] = all
}

// sayOtherwise puts what a sub-graph says in other words into g.text and makes s that, where
// its share of paraphrases takes it and it can be said so that no text of the image says it yet.
func (g *Generator) sayOtherwise(s *said) bool {
	r := g.image ^ random(mixed(s.phrase.hash()+1))
	if float64(r.Next()>>11) >= math.Ldexp(g.opts.Paraphrases, 53) {
		return false
	}
	first := r.Next()
	for i := range uint64(wayCount - 1) {
		w := 1 + way((first+i)%uint64(wayCount-1))
		q := s.phrase
		if !g.other.otherwise(&q, w) {
			continue
		}
		g.text = appendPhrase(g.text[:0], &q)
		g.normal = scenegraph.AppendNormalized(g.normal[:0], view(g.text))
		if !doubled(g.text) && g.known.texts.add(scenegraph.NormalizedID(g.normal)) {
			s.way = w
			return true
		}
	}
	return false
}

// otherwise says a phrase in other words; false where that way cannot.
func (w *otherWords) otherwise(p *phrase, by way) bool {
	related := p.relation != nil
	switch by {
	case turnedWay:
		return related && w.turn(p)
	case endedWay:
		return related && w.end(p)
	case atWay:
		p.template = &atTemplate
		return related && placed(p)
	case isWay:
		return follow(p)
	case renamedWay: // no bare noun, of which nothing false is said
		renamed := w.rename(&p.subject)
		return related && w.rename(&p.object) || renamed && (related || p.subject.n > 0)
	case colourWay:
		turned := turnColours(&p.subject)
		return related && turnColours(&p.object) || turned
	}
	return false
}

// inWords is an edited phrase in the words of the sub-graph that it is made of; false where it
// cannot be said in these.
func (g *Generator) inWords(s *said, p *phrase) (*phrase, bool) {
	if s.way == asIs {
		return p, true
	}
	q := *p
	ok := g.other.otherwise(&q, s.way)
	if !ok && (s.way == endedWay || s.way == renamedWay) { // the word that has another was replaced
		return p, true
	}
	return &q, ok
}
