package ruleparse

import (
	"strings"

	"capgraph/schemas"
)

// WordNet's lexicographer files of nouns that a pronoun may stand for.
const (
	classAnimal = 5
	classGroup  = 14
	classPerson = 18
	classPlant  = 20
)

// person reports whether a token names one. WordNet has "person" itself among the
// kinds of things, and "locals" among trains.
func (t *span) person() bool {
	return t.class == classPerson && !oneOf(namesakes, t.low) || oneOf(" locals person persons ", t.low)
}

// alive reports whether a token names a person, an animal or a group.
func (t *span) alive() bool {
	lives := t.class == classAnimal || t.class == classGroup
	return t.person() || lives && !oneOf(namesakes, t.low) || oneOf(" animal animals ", t.low)
}

// maxBack is how many nodes back a pronoun may refer.
const maxBack = 24

// possess relates what stands after a possessive with its owner, where the owner is
// sure: the noun before "'s", or the only object before a pronoun that it fits. The
// relation is implied, so it has no offset.
func (b *building) possess() {
	ts, x, at, g := b.ts, b.x, b.at, b.g
	for owned := range x.nodes {
		if at[owned] < 0 {
			continue
		}
		owner := x.owner(ts, at, owned)
		if owner < 0 || areRelated(g, at[owner], at[owned]) {
			continue
		}
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: at[owner], Object: at[owned], Predicate: "has", Lemma: "have", Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
}

// owner is whose object b is by what stands before it, or -1.
func (x *analysis) owner(ts []span, at []int32, b int) int {
	begin := x.begins(b)
	if begin == 0 {
		return -1
	}
	switch ts[begin-1].tag {
	case tagPOS:
		if a := x.nodeAt(begin - 2); a >= 0 && !x.nodes[a].attribute && at[a] >= 0 {
			return a
		}
	case tagPRPS:
		owner := -1
		for a := max(0, b-maxBack); a < b; a++ {
			if at[a] < 0 || !standsFor(&ts[begin-1], &ts[x.nodes[a].to-1], &x.nodes[a]) {
				continue
			}
			if owner >= 0 {
				return -1
			}
			owner = a
		}
		return owner
	}
	return -1
}

// accompanies reports whether e says no more than that something of somebody is with
// them: "a man sits in a chair with his legs crossed".
func (x *analysis) accompanies(ts []span, e *relation) bool {
	c := &e.candidate
	return c.implied == 0 && !c.reversed && c.n == 1 && ts[c.words[0]].low == "with" && ts[x.begins(int(e.b))-1].tag == tagPRPS
}

// possessor is what the phrase of e is about, where what e says is with its own: "a
// refrigerator in a kitchen with its door open".
func (x *analysis) possessor(ts []span, e *relation) int32 {
	pronoun, a := &ts[x.begins(int(e.b))-1], e.a
	for range maxPhrase {
		k := x.into(a)
		if k < 0 {
			break
		}
		before := x.edges[k].a
		if n := &x.nodes[before]; !standsFor(pronoun, &ts[n.to-1], n) {
			break
		}
		a = before
	}
	return a
}

func areRelated(g *schemas.SceneGraph, a, b int32) bool {
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxBack*maxBack; i-- {
		r := &g.Relations[i]
		if r.Subject == a && r.Object == b || r.Subject == b && r.Object == a {
			return true
		}
	}
	return false
}

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
