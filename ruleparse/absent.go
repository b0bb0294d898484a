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

// negated reports whether what c says is said not to be: "a dish that was not served to the
// guests", "eating without using his hands".
func negated(ts []span, c *candidate) bool {
	first, last := c.words[0], c.words[c.n-1]
	from := max(0, first-maxPair)
	for first > from && (ts[first-1].be || ts[first-1].tag == tagTO || ts[first-1].tag == tagRB && !denies(ts, first-1) || perfect(ts, first-1) >= 0) {
		first--
	}
	if first > 0 && ts[first-1].low == "without" && isVerb(ts[first].tag) {
		return true
	}
	for i := max(first-1, 0); i < last; i++ {
		if denies(ts, i) {
			return true
		}
	}
	return false
}

// denies reports whether token i is a "not" that leaves nothing of what follows, as "not only"
// and "not just" do not.
func denies(ts []span, i int32) bool {
	return oneOf(" n't n’t never not ", ts[i].low) && !(int(i)+1 < len(ts) && oneOf(" just only ", ts[i+1].low))
}
