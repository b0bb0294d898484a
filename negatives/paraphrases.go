package negatives

import (
	"cmp"
	"math"
	"slices"

	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// addParaphrases says some of a caption's sub-graphs again, in other words, each after the one
// it says, as far as there is room for most positives.
func (g *Generator) addParaphrases(caption int, pool *schemas.Pool, most int) {
	g.plain = append(g.plain[:0], g.said[caption]...)
	slices.SortStableFunc(g.plain, func(a, b statedPart) int { return cmp.Compare(a.of, b.of) }) // what the caption says first
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
		if len(pool.Positives) == most || !g.paraphrasePart(s) {
			continue
		}
		s.of = int16(len(pool.Positives))
		pool.Positives = append(pool.Positives, schemas.Positive{Text: pool.Keep(g.text), Kind: schemas.KindParaphrase, ID: scenegraph.NormalizedID(g.normal)})
		all = append(all, *s)
	}
	g.said[caption] = all
}

// hasParaphrases reports whether some sub-graphs are said again in other words.
func (g *Generator) hasParaphrases() bool {
	return g.opts.Paraphrases > 0 && g.opts.Templates == TemplatesNatural
}

// paraphrasePart puts what a sub-graph says in other words into g.text and makes s that, where
// its share of paraphrases takes it and it can be said so that no text of the image says it yet.
func (g *Generator) paraphrasePart(s *statedPart) bool {
	way, ok := g.tryParaphrases(s, g.sink.texts.add)
	if ok {
		s.way = way
	}
	return ok
}

// tryParaphrases puts what a sub-graph says in other words into g.text, way after way, until one is
// taken by the id of its text. It tries none if the share of paraphrases leaves it as it is.
func (g *Generator) tryParaphrases(s *statedPart, take func(id int64) bool) (way say.Way, taken bool) {
	r := g.image ^ random(grammar.Mixed(s.phrase.Hash()+1))
	if float64(r.Next()>>11) >= math.Ldexp(g.opts.Paraphrases, 53) {
		return say.AsIs, false
	}
	first := r.Next()
	for i := range uint64(say.WayCount - 1) {
		w := 1 + say.Way((first+i)%uint64(say.WayCount-1))
		q := s.phrase
		if !g.dict.other.Otherwise(&q, w) {
			continue
		}
		g.text = say.AppendPhrase(g.text[:0], &q)
		g.normal = scenegraph.AppendNormalized(g.normal[:0], viewString(g.text))
		if !say.Doubled(g.text) && take(scenegraph.NormalizedID(g.normal)) {
			return w, true
		}
	}
	return say.AsIs, false
}
