package ruleparse

import "strings"

// aged makes one attribute of how old somebody is: "a *5 year old* boy", "is *two years old*".
func (x *analysis) aged(ts []span) {
	for i := 1; i < len(ts); i++ {
		from := age(ts, i)
		if from < 0 {
			continue
		}
		first := -1
		for k := range x.nodes {
			n := &x.nodes[k]
			if n.to <= int32(from) || n.from > int32(i) {
				continue
			}
			if n.from < int32(from) || n.to > int32(i)+1 {
				break // part of a name
			}
			if first < 0 {
				first = k
			}
			*n = makeNode(ts, from, i+1, true) // cover makes one of several
		}
		for k := from; first >= 0 && k <= i; k++ {
			x.inNode[k] = true
		}
	}
}

// age is where how old somebody is begins that ends at token i, or -1.
func age(ts []span, i int) int {
	const times = " day days month months week weeks year years "
	switch l := &ts[i-1]; {
	case ts[i].low == "old":
		if cut := strings.LastIndexByte(l.low, '-'); cut >= 0 && oneOf(times, l.low[cut+1:]) {
			return i - 1 // "5-year old"
		}
		if i > 1 && ts[i-2].tag == tagCD && oneOf(times, l.low) {
			return i - 2
		}
	case ts[i].low == "year-old" && l.tag == tagCD:
		return i - 1
	}
	return -1
}
