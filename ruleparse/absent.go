package ruleparse

// absent reports whether the text says that object i is not there: "trees with no
// leaves", "a man without a shirt". "No" before a sign is what the sign says.
func absent(ts []span, x *analysis, i int) bool {
	n := &x.nodes[i]
	if oneOf(" sign signs ", ts[n.to-1].low) {
		return false
	}
	begin := x.begins(i)
	for begin > 0 && !x.inNode[begin-1] && (qualifies(&ts[begin-1]) || determines(&ts[begin-1]) && ts[begin-1].low != "no") {
		begin--
	}
	return begin > 0 && oneOf(" no without ", ts[begin-1].low)
}
