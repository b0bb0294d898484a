package ruleparse

// fixed reports whether token i ends an expression of two words that is one attribute: "a stainless
// steel sink", "a white colored cat", "a wide open field".
func fixed(ts []span, i int32) bool {
	if i == 0 {
		return false
	}
	switch t := &ts[i]; {
	case (t.low == "colored" || t.low == "coloured") && i > 1 && ts[i-2].tag == tagCC:
		return false // "a black and white colored cat"
	case t.low == "white" && i > 1 && isVerb(ts[i-2].tag):
		return false // "letting off white smoke"
	case t.low == "looking":
		return int(i)+1 < len(ts) && (isNoun(ts[i+1].tag) || ts[i+1].tag == tagJJ) && ts[i-1].tag != tagDT && ts[i-1].tag != tagCC // "a fake looking giraffe"
	}
	return oneOf(beginnings(ts[i].low), ts[i-1].low)
}

// beginnings are the words that make a fixed expression with the one that follows.
func beginnings(word string) string {
	switch word {
	case "colored", "coloured":
		return colours + "amber bronze burgundy copper cream dark different light maroon multi peach rainbow rust salmon tan teal turquoise "
	case "crust":
		return " deep thick thin "
	case "eastern":
		return " middle "
	case "glass":
		return " stained "
	case "gold":
		return " rose "
	case "iron":
		return " cast wrought "
	case "large":
		return " extra "
	case "league":
		return " little major "
	case "new":
		return " brand "
	case "open":
		return " wide "
	case "rock", "wood":
		return " hard "
	case "silver":
		return " sterling "
	case "steel":
		return " stainless "
	case "white":
		return " off "
	}
	return ""
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
