package negatives

import (
	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// planCaption plans the edits of the caption itself: NegCLIP's swaps and
// CE-CLIP's replacements.
func (g *Generator) planCaption(img *Image, caption int) {
	c := &img.Captions[caption]
	if len(c.Tokens) == 0 {
		return
	}
	g.caption = &g.captions[caption]
	g.caption.read(g.dict.words, c, g.facts.objects[g.facts.first[caption]:])
	base := plan{caption: caption, slot: noSlot}
	g.planFills(c, base)
	for _, m := range []methods.Method{methods.SwapAdjectives, methods.SwapNouns, methods.SwapAdverbs, methods.SwapVerbPhrases} {
		if g.enabled[m] || m == methods.SwapNouns && g.enabled[methods.SwapNounPhrases] {
			base.method = m
			g.plans = append(g.plans, base)
		}
	}
}

// findRelationOf says which relation the object that ends at token last stands in.
func (g *Generator) findRelationOf(c *Caption, caption, last int, s *slot) {
	gr := &c.Graph
	i := objectEnding(gr, g.caption.tokens[last].End)
	for j := range gr.Relations {
		if r := &gr.Relations[j]; i >= 0 && (r.Object == i || r.Subject == i && s.relation == nil) {
			g.facts.setRelation(gr, caption, j, i, s)
			if r.Object == i {
				return
			}
		}
	}
}

// objectEnding is the object that ends there, −1 if none does.
func objectEnding(gr *schemas.SceneGraph, end int32) int32 {
	for i := range gr.Objects {
		if gr.Objects[i].End == end {
			return int32(i)
		}
	}
	return -1
}

// setRelation puts an object's slot into a relation.
func (f *facts) setRelation(gr *schemas.SceneGraph, caption, relation int, object int32, s *slot) {
	r := &gr.Relations[relation]
	other := r.Object
	if s.object = r.Object == object; s.object {
		other = r.Subject
	}
	s.relation, s.other = f.relationAt(caption, int32(relation)), f.objectAt(caption, other).Noun
}

// editCaption makes the negatives of one plan.
func (g *Generator) editCaption(img *Image, pl *plan, r *random) {
	switch pl.method {
	case methods.SwapNouns, methods.SwapNounPhrases: // of which it makes the one or the other
		g.swapNouns(&img.Captions[pl.caption].Graph, pl, r)
	case methods.SwapAdjectives:
		g.swapWords(pl, r, tagJJ)
	case methods.SwapAdverbs:
		g.swapWords(pl, r, tagRB)
	case methods.SwapVerbPhrases:
		g.swapVerbs(pl, r)
	case methods.FillAttribute, methods.FillQuantity:
		g.fillAttribute(pl, r)
	case methods.FillAction:
		g.fillAction(pl, r)
	case methods.FillObject:
		g.fillObject(&img.Captions[pl.caption].Graph, pl, r)
	}
}
