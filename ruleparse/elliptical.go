package ruleparse

import "strings"

// A place may be said of a thing without what it is a place of: "a tower with a clock on
// top", "a street with people standing nearby". It is that of what the thing is with.

// elliptical is the predicate that stands between object b and the end of a clause: such a
// place, and a participle before it.
func (x *analysis) elliptical(ts []span, b int) (c candidate, ok bool) {
	c = candidate{where: after, reversed: true}
	i := x.nodes[b].to
	if int(i) < len(ts) && (ts[i].tag == tagVBG || ts[i].tag == tagVBN) {
		if !x.inNode[i] {
			c.words[0], c.n = i, 1
		}
		i++
	}
	if int(i) == len(ts) || x.inNode[i] {
		return c, false
	}
	c.words[c.n] = i
	c.n++
	if preposition := ts[i].low; !oneOf(" above behind below beneath inside nearby underneath ", preposition) {
		if i++; preposition != "on" && preposition != "at" && preposition != "in" || int(i) == len(ts) {
			return c, false
		}
		if oneOf(" both each either one the ", ts[i].low) && int(i)+1 < len(ts) {
			i++
		}
		if x.inNode[i] || !oneOf(sides, ts[i].low) {
			return c, false
		}
		c.words[c.n] = i
		c.n++
	}
	return c, x.concludes(ts, i+1)
}

// concludes reports whether a clause ends before token i.
func (x *analysis) concludes(ts []span, i int32) bool {
	return int(i) == len(ts) || ts[i].kind == mark || !x.inNode[i] && (ts[i].tag == tagCC || oneOf(" as while ", ts[i].low))
}

// completed adds to the words of c what they are said without: "on top of", "near".
func completed(c *candidate, ts []span, words string) string {
	last := c.words[max(c.n, 1)-1]
	switch {
	case c.n == 0 || !c.reversed || c.where != after:
	case ts[last].low == "nearby":
		return strings.TrimSuffix(words, "nearby") + "near"
	case c.n > 1 && oneOf(sides, ts[last].low) && !(int(last)+1 < len(ts) && ts[last+1].low == "of"):
		return words + " of"
	}
	return words
}

// sides are parts of a thing where another is.
const sides = " bottom front side sides top "
