package negatives

import "capgraph/schemas"

// astray holds where the corpus never has what else the subject of relation j is said to be
// with at a place that comes into the relation: no "riding a wave on a field".
func (g *Generator) astray(gr *schemas.SceneGraph, caption, j int, place *noun) bool {
	r, is := &gr.Relations[j], g.known.relation(caption, int32(j))
	if g.filtered.demand != much || is.place == nowhere && is.prep != "at" || place.size() == small {
		return false
	}
	for k := range gr.Relations {
		q := &gr.Relations[k]
		if q.Subject != r.Subject || q.Object == r.Object {
			continue
		}
		if with := g.known.object(caption, q.Object).noun; !with.alive() && with.kind != clothing && with.kind != body && strange(with, place) {
			return true
		}
	}
	return false
}

// strange holds where the corpus knows a thing and a place well, and never relates them.
func strange(n, place *noun) bool {
	a, b := &n.word.partners, &place.word.partners
	return b.subjects != nil && (a.subjects != nil || a.objects != nil) &&
		!b.subjects.has(a.id) && !b.objects.has(a.id) && !a.subjects.has(b.id) && !a.objects.has(b.id)
}
