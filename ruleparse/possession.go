package ruleparse

import "capgraph/schemas"

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

// namesakes are things whose first sense in WordNet is a person, an animal, a part of
// one or a group, and which captions seldom mean by it.
const namesakes = " bat bats beak blinds board boards branch branches brush burger burgers business calculator church comforter controller controllers country court courts cream decker egg eggs feathers feeder forest hanger hood horseback hotdog hotdogs jumper mixer monitor monitors mouse outfit outfits package party paw paws peel pile piles planter printer quiche school set sets stack stacks table tables tail toaster trailer trailers village villa washer waters wing wings woods "

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
