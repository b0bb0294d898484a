package negatives

import (
	"slices"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// demand is what is asked of a negative. Less is asked of a caption that has none, and of words
// that are swapped where none are: of most pairs the papers make what hardly anyone says, "a kite
// holding a boy".
type demand uint8

const (
	nothing demand = iota // what the papers make
	little                // one swap, of things or of adjectives that exclude each other
	much                  // strict replacements, and swaps of what may trade places
)

// ask sets what is asked from here on.
func (g *Generator) ask(d demand) { g.demand, g.filtered.strict = d, d == much }

// lacks says whether a caption lacks what a plan may give it now that less is asked.
func (g *Generator) lacks(pl *plan) bool {
	switch {
	case pl.said == nil && pl.slot == noSlot && g.demand == little:
		return !slices.ContainsFunc(g.out.Negatives, func(n schemas.HardNegative) bool { return n.Changed == schemas.ChangedOrder })
	case len(g.out.Negatives) > 0:
		return false
	case pl.said == nil && pl.slot == noSlot:
		return true
	case pl.slot == noSlot || g.demand == nothing || g.slots[pl.slot].kind != SlotObject && g.slots[pl.slot].kind != SlotAttribute:
		return false
	}
	g.fittings[pl.slot] = g.filtered.fitting(&g.slots[pl.slot])
	return true
}

// swapsNouns holds where the nouns of two objects of a caption are swapped; −1 is a noun that is no
// object of the graph.
func (g *Generator) swapsNouns(gr *schemas.SceneGraph, caption int, a, b int32, nounsOnly bool) bool {
	switch {
	case g.demand == nothing:
		return true
	case a < 0 || b < 0:
		return false
	case g.demand == little:
		return !g.known.object(caption, a).noun.intangible && !g.known.object(caption, b).noun.intangible
	}
	return g.nounsTrade(gr, caption, a, b, nounsOnly)
}

// swapsAdjectives holds where two adjectives before two nouns are swapped.
func (g *Generator) swapsAdjectives(x, y *property, ofX, ofY *noun) bool {
	return g.demand == nothing || lexicon.ValuesExclude(x.values, y.values) && (g.demand == little || g.keeps(ofX, y) && g.keeps(ofY, x))
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

// standsFor holds where object b may be where object a is, in relations with others and, where
// only the noun comes, with the attributes of a.
func (g *Generator) standsFor(gr *schemas.SceneGraph, caption int, a, b int32, nounsOnly bool) bool {
	was, is := g.known.object(caption, a), g.known.object(caption, b).noun
	if nounsOnly {
		for _, x := range g.known.attributes[was.attributes : was.attributes+len(gr.Objects[a].Attributes)] {
			if !g.keeps(is, x.is) {
				return false
			}
		}
	}
	s := slot{kind: SlotObject, noun: was.noun, of: was.noun.kind}
	for i := range gr.Relations {
		r := &gr.Relations[i]
		if r.Subject != a && r.Object != a || r.Subject == b || r.Object == b {
			continue
		}
		g.stand(gr, caption, i, a, &s)
		if fitting := g.filtered.fitting(&s); !fitting.any && !fitting.suits(g.words.thing(is)) {
			return false
		}
	}
	return true
}
