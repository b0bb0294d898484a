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

// The kinds that a Mix names.
const (
	MixObject    = "object"
	MixAttribute = "attribute"
	MixRelation  = "relation"
	MixAction    = "action"
	MixQuantity  = "quantity"
	MixOrder     = "order"    // swaps of words, as in NegCLIP; off by default
	MixExchange  = "exchange" // two things exchange properties, or the ends of a relation change places
)

// MixKinds returns the kinds of a mix, in the order in which they are printed.
func MixKinds() []string {
	return []string{MixObject, MixAttribute, MixRelation, MixAction, MixQuantity, MixOrder, MixExchange}
}

// KindOfMethod returns the kind of a negative, given its method and what it changes. If the method
// has no kind of its own, that is changed, such as "negation".
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

// Mix maps a kind to its greatest share of a caption's negatives. Kinds that it does not have are
// not limited.
type Mix map[string]float64

// defaultMix returns a mix in which at least half of the negatives are of rarer kinds. Without
// limits, three negatives of four would replace a noun, since most words of captions are nouns.
func defaultMix() Mix { return Mix{MixObject: 0.3, MixAttribute: 0.2} }

// leastOfCaption is the number of negatives that a caption keeps whatever their kind.
const leastOfCaption = 2

// limits returns the number of negatives to keep of each kind, given how many there are. A kind
// below its share keeps all.
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

// limitKinds removes negatives that exceed the limits of the mix from s.list. Whatever the limits,
// it keeps one negative of the caption itself, one of each positive that states more than one
// object, and leastOfCaption in all. It keeps rarer kinds first, then negatives more likely to be
// good, then those that a text-only model finds harder to recognise (a lower score, rounded down),
// then more concrete nouns. A hash of image and text decides between equals.
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
		return cmp.Or(cmp.Compare(s.kinds.sizes[s.kinds.of[a]], s.kinds.sizes[s.kinds.of[b]]), cmp.Compare(tenthsOf(negs[b].Good), tenthsOf(negs[a].Good)), cmp.Compare(math.Floor(float64(negs[a].Score)), math.Floor(float64(negs[b].Score))),
			cmp.Compare(negs[b].Concrete, negs[a].Concrete), cmp.Compare(grammar.ID(image, negs[a].Text), grammar.ID(image, negs[b].Text)), cmp.Compare(a, b))
	})
	stays := s.taken // scratch memory: all false before and after
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
		if of := negs[i].Of; !has[of] && (of == 0 || statesMoreThanObject(&pool.Positives[of])) {
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

// tenthsOf returns a probability in whole tenths: 7 for 0.78.
func tenthsOf(good float32) float64 { return math.Floor(float64(good) * 10) }

// statesMoreThanObject reports whether a positive states more than the existence of one object.
func statesMoreThanObject(p *schemas.Positive) bool {
	return p.Kind != schemas.KindObject || len(p.Parts) > 1
}
