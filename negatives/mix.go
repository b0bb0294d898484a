package negatives

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// The kinds of a mix.
const (
	MixObject    = "object"
	MixAttribute = "attribute"
	MixRelation  = "relation"
	MixAction    = "action"
	MixQuantity  = "quantity"
	MixOrder     = "order"    // NegCLIP's swaps of words, which are off by default
	MixExchange  = "exchange" // what is said of two things, and the ends of relations
)

// MixKinds returns the kinds of a mix, in the order in which they are printed.
func MixKinds() []string {
	return []string{MixObject, MixAttribute, MixRelation, MixAction, MixQuantity, MixOrder, MixExchange}
}

// KindOfMethod returns the kind of the negatives of a method that change changed, and changed itself for
// what is no kind of a mix: "negation".
func KindOfMethod(method, changed string) string {
	if m := slices.Index(methods.Names[:], method); m >= 0 {
		switch m := methods.Method(m); {
		case m.Exchanges():
			return MixExchange
		case m.Counts():
			return MixQuantity
		}
	}
	return changed
}

// Mix is the greatest share that a kind may have of the negatives of a caption; a kind that it does not
// name may have any.
type Mix map[string]float64

// defaultMix leaves the rarer kinds half of the negatives where a caption has them. Most words of captions
// are nouns, so that without it three negatives of four replace one.
func defaultMix() Mix { return Mix{MixObject: 0.3, MixAttribute: 0.2} }

// leastOfCaption is how many negatives a caption may always have, whatever their kinds.
const leastOfCaption = 2

// limits returns how many negatives of each kind are kept of those that there are. Kinds that are rarer
// than their share are kept whole.
func (m Mix) limits(counts map[string]int) map[string]int {
	kept := maps.Clone(counts)
	for sum := -1; ; {
		total := 0
		for _, n := range kept {
			total += n
		}
		if total == sum {
			return kept
		}
		sum = total
		for kind, n := range kept {
			if share, ok := m[kind]; ok {
				kept[kind] = min(n, int(math.Round(share*float64(total))))
			}
		}
	}
}

// limitKinds drops those of a list that are over the limits of the mix. What stays whatever the limits are:
// one negative of the caption itself, one of each positive that says more than that there is a thing, and
// leastOfCaption of all. Where there is a choice it is one of a rarer kind, then one that its words tell less, by whole
// steps of its score, then of more concrete nouns, and then it is drawn by a hash of the image and the text.
func (s *Capper) limitKinds(image string, pool *schemas.Pool) {
	if len(s.Mix) == 0 || len(s.list) <= leastOfCaption {
		return
	}
	negs := pool.Negatives
	counts := map[string]int{}
	for _, i := range s.list {
		counts[KindOfMethod(negs[i].Method, negs[i].Changed)]++
	}
	limits := s.Mix.limits(counts)
	s.drawn = append(s.drawn[:0], s.list...)
	slices.SortFunc(s.drawn, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.kinds.sizes[s.kinds.of[a]], s.kinds.sizes[s.kinds.of[b]]), cmp.Compare(stepOf(negs[b].Good), stepOf(negs[a].Good)), cmp.Compare(math.Floor(float64(negs[a].Score)), math.Floor(float64(negs[b].Score))),
			cmp.Compare(negs[b].Concrete, negs[a].Concrete), cmp.Compare(grammar.ID(image, negs[a].Text), grammar.ID(image, negs[b].Text)), cmp.Compare(a, b))
	})
	stays := s.taken // of which nothing is set yet
	n, has := 0, make(map[int16]bool, len(pool.Positives))
	keep := func(i int) {
		if !stays[i] {
			stays[i], has[negs[i].Of] = true, true
			limits[KindOfMethod(negs[i].Method, negs[i].Changed)]--
			n++
		}
	}
	for _, i := range s.drawn {
		if _, limited := s.Mix[KindOfMethod(negs[i].Method, negs[i].Changed)]; !limited {
			keep(i)
		}
	}
	for _, i := range s.drawn {
		if of := negs[i].Of; !has[of] && (of == 0 || saysMore(&pool.Positives[of])) {
			keep(i)
		}
	}
	for _, i := range s.drawn {
		if limits[KindOfMethod(negs[i].Method, negs[i].Changed)] > 0 || n < leastOfCaption {
			keep(i)
		}
	}
	s.list = slices.DeleteFunc(s.list, func(i int) bool { return !stays[i] })
	clear(stays)
}

// stepOf is the tenth that a probability is in.
func stepOf(good float32) float64 { return math.Floor(float64(good) * 10) }

// saysMore reports whether a positive says more than that there is a thing.
func saysMore(p *schemas.Positive) bool { return p.Kind != schemas.KindObject || len(p.Parts) > 1 }
