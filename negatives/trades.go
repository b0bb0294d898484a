package negatives

import (
	"slices"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// demand is what is asked of negatives. Of most swaps that the papers make hardly anyone says what
// comes of them ("a kite holding a boy"), so that these are asked to make sense; less is asked where
// a caption has no order, or no negative at all.
type demand uint8

const (
	nothing demand = iota // what the papers make
	little                // one swap, of things or of adjectives that exclude each other
	much                  // strict replacements, and swaps of what may trade places
)

// lacks says whether a caption lacks what a plan may give it now that less is asked.
func (g *Generator) lacks(pl *plan) bool {
	swap := pl.said == nil && pl.slot == noSlot
	switch {
	case swap && g.filtered.demand == little:
		return !slices.ContainsFunc(g.out.Negatives, func(n schemas.HardNegative) bool { return n.Changed == schemas.ChangedOrder })
	case len(g.out.Negatives) > 0:
		return false
	case g.filtered.demand == nothing:
		return swap
	}
	return pl.slot != noSlot && (g.slots[pl.slot].kind == SlotObject || g.slots[pl.slot].kind == SlotAttribute)
}

// nounsSound says why the nouns of two objects of a caption are not swapped, where reason says
// nothing against it; −1 is a noun that is no object of the graph.
func (g *Generator) nounsSound(reason Reason, gr *schemas.SceneGraph, caption int, a, b int32, nounsOnly bool) Reason {
	switch {
	case reason != noReason || g.filtered.demand == nothing:
		return reason
	case a < 0 || b < 0:
	case g.filtered.demand == little && !g.known.object(caption, a).noun.intangible && !g.known.object(caption, b).noun.intangible:
		return noReason
	case g.filtered.demand == much && g.nounsTrade(gr, caption, a, b, nounsOnly):
		return noReason
	}
	return ReasonImplausible
}

// adjectivesSound says why two adjectives before two nouns are not swapped.
func (g *Generator) adjectivesSound(x, y *property, ofX, ofY *noun) Reason {
	if g.filtered.demand == nothing || lexicon.ValuesExclude(x.values, y.values) && (g.filtered.demand == little || g.keeps(ofX, y) && g.keeps(ofY, x)) {
		return noReason
	}
	return ReasonImplausible
}

// wordsSound says why two adverbs or verbs are not swapped, which seldom makes sense.
func (g *Generator) wordsSound() Reason {
	if g.filtered.demand == nothing {
		return noReason
	}
	return ReasonImplausible
}

// nounsTrade holds where two nouns of a caption may trade places: both are of one kind, or
// alive, the corpus has each in the other's relations, and what is said of the one in relation
// to the other can be turned round. Their attributes trade places too unless only the nouns do.
func (g *Generator) nounsTrade(gr *schemas.SceneGraph, caption int, a, b int32, nounsOnly bool) bool {
	x, y := g.known.object(caption, a), g.known.object(caption, b)
	if x.noun.kind == 0 || x.noun.kind != y.noun.kind && !(x.noun.alive() && y.noun.alive()) {
		return false
	}
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Subject != b || r.Object != a && r.Object != b {
			continue
		}
		p := phrase{relation: g.known.relation(caption, int32(i))}
		p.subject.noun, p.object.noun = g.known.object(caption, r.Object).noun, g.known.object(caption, r.Subject).noun
		if g.reverses(&p, g.known.object(caption, r.Subject).class, g.known.object(caption, r.Object).class) != noReason {
			return false
		}
	}
	return g.standsFor(gr, caption, a, b, nounsOnly) && g.standsFor(gr, caption, b, a, nounsOnly)
}

// standsFor holds where object b may be where object a is, which has a relation: in those with
// others and, where only the noun comes, with the attributes of a.
func (g *Generator) standsFor(gr *schemas.SceneGraph, caption int, a, b int32, nounsOnly bool) bool {
	was, is := g.known.object(caption, a), g.known.object(caption, b).noun
	if nounsOnly {
		for _, x := range g.known.attributes[was.attributes : was.attributes+len(gr.Objects[a].Attributes)] {
			if !g.keeps(is, x.is) {
				return false
			}
		}
	}
	s, related := slot{kind: SlotObject, noun: was.noun, of: was.noun.kind}, false
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Object != a {
			continue
		}
		if related = true; r.Subject == b || r.Object == b {
			continue
		}
		g.stand(gr, caption, i, a, &s)
		if fitting := g.filtered.fitting(&s); !fitting.any && !fitting.suits(g.words.thing(is)) {
			return false
		}
	}
	return related
}
