package ruleparse

// fixed reports whether token i ends an expression of two words that is one attribute: "a stainless
// steel sink", "a white colored cat", "a wide open field".
func fixed(ts []span, i int32) bool {
	if i == 0 {
		return false
	}
	first := ts[i-1].low
	switch ts[i].low {
	case "colored", "coloured":
		if i > 1 && ts[i-2].tag == tagCC {
			return false // "a black and white colored cat"
		}
		return oneOf(colours, first) || oneOf(" amber bronze burgundy copper cream dark different light maroon multi peach rainbow rust salmon tan teal turquoise ", first)
	case "crust":
		return oneOf(" deep thick thin ", first)
	case "eastern":
		return first == "middle"
	case "glass":
		return first == "stained"
	case "gold":
		return first == "rose"
	case "iron":
		return first == "cast" || first == "wrought"
	case "large":
		return first == "extra"
	case "league":
		return first == "little" || first == "major"
	case "new":
		return first == "brand"
	case "open":
		return first == "wide"
	case "rock":
		return first == "hard"
	case "silver":
		return first == "sterling"
	case "steel":
		return first == "stainless"
	case "white":
		return first == "off" && (i < 2 || !isVerb(ts[i-2].tag)) // "letting off white smoke"
	case "wood":
		return first == "hard"
	}
	return false
}

// widen takes the other word of a fixed expression into attribute n where it is in no other.
func (x *analysis) widen(ts []span, n node) node {
	if !n.attribute {
		return n
	}
	from, to := n.from, n.to
	if fixed(ts, from) && !x.inNode[from-1] {
		from--
		x.inNode[from] = true
	}
	if int(to) < len(ts) && !x.inNode[to] && fixed(ts, to) {
		x.inNode[to] = true
		to++
	}
	if from == n.from && to == n.to {
		return n
	}
	return makeNode(ts, int(from), int(to), true)
}
