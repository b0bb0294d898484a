package ruleparse

// Nouns of persons that only "he" or only "she" stands for.
const (
	femaleNouns = " woman women girl girls lady ladies mother daughter sister wife bride actress queen "
	maleNouns   = " man men boy boys guy guys father son brother husband groom actor king gentleman "
)

// antecedent is the only object before pronoun node b that it can stand for, or
// -1 where there is none or the choice is not sure.
func antecedent(ts []span, x *analysis, b int) int {
	n := &x.nodes[b]
	if n.to != n.from+1 || ts[n.from].tag != tagPRP {
		return -1
	}
	return referent(ts, x, &ts[n.from], b)
}

// referent is the only object before node b that a pronoun can stand for, or -1.
func referent(ts []span, x *analysis, pronoun *span, b int) int {
	found := -1
	for a := max(0, b-maxBack); a < b; a++ {
		m := &x.nodes[a]
		if m.attribute || ts[m.from].tag == tagPRP || !standsFor(pronoun, &ts[m.to-1], m) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// standsFor reports whether a pronoun can stand for an object whose last word is t.
func standsFor(pronoun, t *span, m *node) bool {
	plural := t.tag == tagNNS || t.tag == tagNNPS
	switch pronoun.low {
	case "he", "him":
		return (m.person || m.class == classAnimal) && !plural && !oneOf(femaleNouns, t.low)
	case "she", "her":
		return (m.person || m.class == classAnimal) && !plural && !oneOf(maleNouns, t.low)
	case "it":
		return !m.person && !plural
	case "they", "them":
		return plural
	}
	return false
}
