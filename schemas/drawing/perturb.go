package drawing

import "capgraph/scenegraph"

// Perturbation is the part of a graph from which OC-CLIP's local loss makes negatives of one
// relation (§3.3).
type Perturbation struct {
	// Relation is the index of the drawn relation; -1 if none can be drawn.
	Relation int
	// Subject and Object are two other nodes for it; -1 if there are none.
	Subject, Object int
}

// Perturb draws a relation of the graph of the row with that key, to be reversed, and two other
// nodes for it. It draws no relation whose reverse is true too: a symmetric one, one between nodes
// of the same words, or one whose reverse is in the graph. The graph has neither the relation nor
// its reverse between the two nodes.
func (d Draw) Perturb(key string, s *scenegraph.WordGraph) Perturbation {
	random := d.Random("relation", key)
	var open []int
	for i, r := range s.Relations {
		if !r.IsSymmetric && !s.HasRelation(r.Object, r.Subject, r.Predicate) {
			open = append(open, i)
		}
	}
	a := Perturbation{-1, -1, -1}
	if len(open) == 0 {
		return a
	}
	a.Relation = open[random.IntN(len(open))]
	r := s.Relations[a.Relation]
	var pairs [][2]int
	for i, subject := range s.Nodes {
		for j, object := range s.Nodes {
			turned := subject == s.Nodes[r.Object] && object == s.Nodes[r.Subject]
			if i != j && subject != object && !turned && !s.HasRelation(i, j, r.Predicate) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	if len(pairs) > 0 {
		p := pairs[random.IntN(len(pairs))]
		a.Subject, a.Object = p[0], p[1]
	}
	return a
}
