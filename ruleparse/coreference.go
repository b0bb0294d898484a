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

// doing is the object before the pronoun at token i, the subject of a verb, that it stands
// for: the only one that it can stand for or, in a clause of its own, what the text is
// about ("a train rounds the corner as it comes down the tracks"); or -1.
func doing(ts []span, x *analysis, i int32) int {
	if a := referent(ts, x, &ts[i], objectBefore(x, -1, i)+1); a >= 0 || i == 0 || !oneOf(" after as before when while ", ts[i-1].low) {
		return a
	}
	for a := range x.nodes {
		m := &x.nodes[a]
		if m.attribute || x.into(int32(a)) >= 0 {
			continue
		}
		if m.to <= i && (standsFor(&ts[i], &ts[m.to-1], m) || ts[i].low == "they" && m.person) {
			return a
		}
		break
	}
	return -1
}

// standsFor reports whether a pronoun can stand for an object whose last word is t.
func standsFor(pronoun, t *span, m *node) bool {
	plural := t.tag == tagNNS || t.tag == tagNNPS
	switch pronoun.low {
	case "he", "him":
		return (m.person || m.alive && m.class == classAnimal) && !plural && !oneOf(femaleNouns, t.low)
	case "she", "her":
		return (m.person || m.alive && m.class == classAnimal) && !plural && !oneOf(maleNouns, t.low)
	case "it":
		return !m.person && !plural
	case "they", "them":
		return plural
	}
	return false
}

// addressed reports whether it is the writer or the reader who does what e says: "i put a sticker
// on the cat", "a dress you can wear to the beach".
func addressed(ts []span, x *analysis, e *relation) bool {
	i := e.candidate.words[0]
	if !isVerb(ts[i].tag) {
		return false
	}
	for i > 0 && !x.inNode[i-1] && (isVerb(ts[i-1].tag) || ts[i-1].be || ts[i-1].tag == tagMD || ts[i-1].tag == tagRB || ts[i-1].tag == tagTO) {
		i--
	}
	return i > 0 && oneOf(" i we you ", ts[i-1].low) && !x.inNode[i-1] && (i < 2 || ts[i-2].tag != tagCC)
}
