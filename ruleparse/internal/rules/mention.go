package rules

import (
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// mention is a definite noun phrase: "the second man", "the girl in the red dress".
type mention struct {
	nounTraits
	begin, noun, end int32 // tokens: after the determiner, after the noun, after its description
	first            bool  // the noun is one word
	rank             int   // 2 for "the second man"; -1 for a contrast: "the other", "the older man"
	placed           bool  // a place selects it from several: "on the left"
}

// maxDescription is the most tokens before a noun, and after it, that describe it.
const maxDescription = 6

// findDescription returns the tokens that describe object n: from after its determiner to the end of a phrase that
// follows with a preposition or a participle.
func findDescription(ts []tokens.Token, n *analysis.Node) (begin, end int32) {
	begin, end = n.From, n.To
	for begin > 0 && n.From-begin < maxDescription && isDescribing(&ts[begin-1]) {
		begin--
	}
	if t := tokens.AtOrBorder(ts, end); t.Tag != penn.IN && t.Tag != penn.VBG && t.Tag != penn.VBN && t.Low != "closest" && t.Low != "nearest" {
		return begin, end
	}
	for int(end) < len(ts) && end-n.To < maxDescription && !endsDescription(&ts[end]) {
		end++
	}
	return begin, end
}

// isDescribing reports whether a token before a noun belongs to its phrase and is not a determiner.
func isDescribing(t *tokens.Token) bool {
	switch t.Tag {
	case penn.JJ, penn.JJR, penn.JJS, penn.CD, penn.NN, penn.NNP, penn.VBN, penn.VBG, penn.RB, penn.RBR, penn.RBS:
		return true
	}
	return t.IsOneOf(" other same ")
}

// endsDescription reports whether t ends the phrase of a noun, such as a finite verb or a comma.
func endsDescription(t *tokens.Token) bool {
	switch t.Tag {
	case penn.VBZ, penn.VBP, penn.VBD, penn.MD, penn.CC, penn.WDT, penn.WP:
		return true
	}
	return t.Kind == tokens.Mark
}

// ranks are words that select one of several things.
var ranks = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "other": -1, "latter": -1, "former": -1, "last": -1, "remaining": -1}

// read sets rank and placed from the words of the mention.
func (m *mention) read(ts []tokens.Token) {
	for i := m.begin; i < m.noun; i++ {
		t := &ts[i]
		switch {
		case ranks[t.Low] != 0:
			m.rank = ranks[t.Low]
		case i < m.noun-1 && t.IsOneOf(tokens.Places):
			m.placed = true // such as "the far wall"
		case (t.Tag == penn.JJR || t.Tag == penn.JJS) && i < m.noun-1:
			m.rank = -1 // a comparison: "the older man"
		}
	}
	for i := m.noun; i < m.end; i++ {
		m.placed = m.placed || ts[i].IsOneOf(tokens.Places)
	}
}

// compare returns the number of words that describe both the mention and e. fits is false if they differ in colour or
// place, or if the mention contrasts with others and e's description does not.
func (m *mention) compare(ts []tokens.Token, e *entity) (shared int, fits bool) {
	contrasts := m.rank < 0
	for i := m.begin; i < m.end; i++ {
		t := &ts[i]
		if i >= m.noun-1 && i < m.noun || t.Tag == penn.DT || t.Tag == penn.IN || t.Kind == tokens.Mark {
			continue
		}
		same := false
		for k := e.begin; k < e.end; k++ {
			o := &ts[k]
			if o.Low == t.Low {
				same = true
			}
			if t.IsOneOf(colours) && o.IsOneOf(colours) && o.Low != t.Low && (tokens.AtOrBorder(ts, i+1).Low == tokens.AtOrBorder(ts, k+1).Low || i > 0 && k > 0 && ts[i-1].Low == "in" && ts[k-1].Low == "in") {
				return 0, false // different colours: "a blue car … the red car", "a player in white … the player in red"
			}
		}
		if same {
			shared++
		}
		if same && (ranks[t.Low] < 0 || t.Tag == penn.JJR || t.Tag == penn.JJS) {
			contrasts = false
		}
	}
	return shared, !contrasts && !m.isElsewhere(ts, e)
}

// isElsewhere reports whether the mention and e have different places: "on the left", "on the right".
func (m *mention) isElsewhere(ts []tokens.Token, e *entity) bool {
	if !m.placed {
		return false
	}
	there := false
	for k := e.noun; k < e.end; k++ {
		if !ts[k].IsOneOf(tokens.Places) {
			continue
		}
		for i := m.begin; i < m.end; i++ {
			if ts[i].Low == ts[k].Low {
				return false
			}
		}
		there = true
	}
	return there
}
