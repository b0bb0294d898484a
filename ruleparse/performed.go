package ruleparse

import "slices"

// feats are what somebody does, and performing the verbs by which.
const (
	feats      = " stunt stunts trick tricks "
	performing = " attempt attempting attempts do does doing execute executes executing perform performing performs try trying "
)

// performed reports whether token i is a feat that somebody does, in no object and no predicate
// with its verb: "a skateboarder does an impressive *trick*", not "doing tricks on a ramp".
func (x *analysis) performed(ts []span, i int) bool {
	if !oneOf(feats, ts[i].low) || x.inNode[i] || !isNoun(ts[i].tag) || !performs(ts, int32(i)) || i+1 < len(ts) && isNoun(ts[i+1].tag) {
		return false
	}
	return !slices.ContainsFunc(x.edges, func(e relation) bool {
		c := &e.candidate
		return c.implied == 0 && c.n > 1 && slices.Contains(c.words[1:c.n], int32(i))
	})
}

// performs reports whether a verb of doing stands before token i, its articles, adjectives and nouns.
func performs(ts []span, i int32) bool {
	for k := i - 1; k >= max(0, i-5); k-- {
		switch t := &ts[k]; {
		case oneOf(performing, t.low):
			return true
		case !isNoun(t.tag) && t.tag != tagDT && t.tag != tagJJ && t.tag != tagVBG && t.tag != tagPRPS:
			return false
		}
	}
	return false
}
