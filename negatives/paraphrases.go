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

// addParaphrases adds paraphrases of some of a caption's sub-graphs, each right after the text of
// its sub-graph, until the pool has most positives.
func (d *decomposer) addParaphrases(all []statedPart, pool *schemas.Pool, most int, known *idSet) []statedPart {
	if d.paraphrases == 0 || !d.natural {
		return all
	}
	d.plain = append(d.plain[:0], all...)
	slices.SortStableFunc(d.plain, func(a, b statedPart) int { return cmp.Compare(a.of, b.of) }) // in the order of the pool
	d.before = append(d.before[:0], pool.Positives...)
	pool.Positives = pool.Positives[:1]
	all = all[:0]
	for i := range d.plain {
		s := &d.plain[i]
		if s.of > 0 {
			if len(pool.Positives) == most {
				break
			}
			pool.Positives, s.of = append(pool.Positives, d.before[s.of]), int16(len(pool.Positives))
		}
		all = append(all, *s)
		if len(pool.Positives) == most || !d.paraphrase(s, known) {
			continue
		}
		said := pool.Positives[s.of]
		s.of = int16(len(pool.Positives))
		said.Text, said.Kind, said.ID = pool.Keep(d.text), schemas.KindParaphrase, scenegraph.NormalizedID(d.normal)
		pool.Positives = append(pool.Positives, said)
		all = append(all, *s)
	}
	return all
}

// paraphrase sets d.text to a paraphrase of a sub-graph that the image does not have yet, and s.way
// to the kind of paraphrase. It returns false if there is none, or if the sub-graph is not in the
// share that gets one.
func (d *decomposer) paraphrase(s *statedPart, known *idSet) bool {
	r := d.random ^ random(grammar.Mixed(s.phrase.Hash()+1))
	if float64(r.Next()>>11) >= math.Ldexp(d.paraphrases, 53) {
		return false
	}
	first := r.Next()
	for i := range uint64(say.WayCount - 1) {
		way := 1 + say.Way((first+i)%uint64(say.WayCount-1))
		q := s.phrase
		if !d.dict.other.Paraphrase(&q, way) || !q.FitsTemplate() {
			continue
		}
		d.text = say.AppendPhrase(d.text[:0], &q)
		d.normal = scenegraph.AppendNormalized(d.normal[:0], viewString(d.text))
		if !say.Doubled(d.text) && known.add(scenegraph.NormalizedID(d.normal)) {
			s.way = way
			return true
		}
	}
	return false
}
