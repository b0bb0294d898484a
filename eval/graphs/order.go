package graphs

import (
	"cmp"
	"maps"
	"slices"
)

// sortedTriples returns a set of tuples in the order of their strings.
func sortedTriples(set map[Triple]bool) []Triple {
	return slices.SortedFunc(maps.Keys(set), compareTriples)
}

func compareTriples(a, b Triple) int {
	return cmp.Or(cmp.Compare(kindOf(a), kindOf(b)), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Predicate, b.Predicate), cmp.Compare(a.Object, b.Object))
}
