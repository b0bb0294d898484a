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
func (d *decomposer) addParaphrases(all []statedPart, pool *schemas.Pool, most int, known *idSet) []statedPart {
	d.plain = append(d.plain[:0], all...)
	slices.SortStableFunc(d.plain, func(a, b statedPart) int { return cmp.Compare(a.of, b.of) }) // what the caption says first
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
		if len(pool.Positives) == most || !d.paraphrasePart(s, known) {
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

// hasParaphrases reports whether some sub-graphs get a paraphrase.
func (d *decomposer) hasParaphrases() bool {
	return d.paraphrases > 0 && d.natural
}

// paraphrasePart sets d.text to a paraphrase of a sub-graph, and s to match. It reports false if
// the share of paraphrases leaves it out, or the image has each paraphrase already.
func (d *decomposer) paraphrasePart(s *statedPart, known *idSet) bool {
	way, ok := d.tryParaphrases(s, known.add)
	if ok {
		s.way = way
	}
	return ok
}

// tryParaphrases sets d.text to one paraphrase of a sub-graph after another, until take accepts the
// id of its text. It tries none if the share of paraphrases leaves the sub-graph out.
func (d *decomposer) tryParaphrases(s *statedPart, take func(id int64) bool) (way say.Way, taken bool) {
	r := d.random ^ random(grammar.Mixed(s.phrase.Hash()+1))
	if float64(r.Next()>>11) >= math.Ldexp(d.paraphrases, 53) {
		return say.AsIs, false
	}
	first := r.Next()
	for i := range uint64(say.WayCount - 1) {
		w := 1 + say.Way((first+i)%uint64(say.WayCount-1))
		q := s.phrase
		if !d.dict.other.Otherwise(&q, w) || !q.Reads() {
			continue
		}
		d.text = say.AppendPhrase(d.text[:0], &q)
		d.normal = scenegraph.AppendNormalized(d.normal[:0], viewString(d.text))
		if !say.Doubled(d.text) && take(scenegraph.NormalizedID(d.normal)) {
			return w, true
		}
	}
	return say.AsIs, false
}
