package negatives

import (
	"cmp"
	"maps"
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
		case m == methods.ReplaceQuantity || m == methods.FillQuantity:
			return MixQuantity
		}
	}
	return changed
}

// Mix is the greatest share that a kind may have of the negatives of a caption; a kind that it does not
// name may have any.
type Mix map[string]float64

// defaultMix leaves the rarer kinds some third of the negatives. Most words of captions are nouns, so
// that without it three negatives of four replace one.
func defaultMix() Mix { return Mix{MixObject: 0.4, MixAttribute: 0.3} }

// leastOfKind is how many negatives a kind may always have, whatever its share.
const leastOfKind = 2

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
				kept[kind] = min(n, max(leastOfKind, int(share*float64(total))))
			}
		}
	}
}

// limitKinds drops those of a list that are over the limits of the mix: which ones is drawn by a hash of the image
// and the text, so that balance holds for those that stay. One of the caption itself stays if there is any.
func (s *Capper) limitKinds(image string, negs []schemas.HardNegative) {
	if len(s.Mix) == 0 {
		return
	}
	counts := map[string]int{}
	for _, i := range s.list {
		counts[KindOfMethod(negs[i].Method, negs[i].Changed)]++
	}
	limits := s.Mix.limits(counts)
	s.drawn = append(s.drawn[:0], s.list...)
	slices.SortFunc(s.drawn, func(a, b int) int {
		return cmp.Or(cmp.Compare(grammar.ID(image, negs[a].Text), grammar.ID(image, negs[b].Text)), cmp.Compare(a, b))
	})
	if own := slices.IndexFunc(s.drawn, func(i int) bool { return negs[i].Of == 0 }); own > 0 {
		at := s.drawn[own]
		s.drawn = slices.Insert(slices.Delete(s.drawn, own, own+1), 0, at)
	}
	over := s.taken // of which nothing is set yet
	for _, i := range s.drawn {
		kind := KindOfMethod(negs[i].Method, negs[i].Changed)
		limits[kind]--
		over[i] = limits[kind] < 0
	}
	s.list = slices.DeleteFunc(s.list, func(i int) bool { return over[i] })
	clear(over)
}
