package drawing

import "capgraph/scenegraph"

// Perturbation has the objects and relation of a graph from which OC-CLIP's local loss makes
// negatives of a relation (§3.3).
type Perturbation struct {
	// Relation is the index of the drawn relation, or -1 if none can be drawn.
	Relation int
	// Subject and Object are the indices of two other nodes for it, or -1.
	Subject, Object int
}

// Perturb draws a relation of the graph of the row with a key, which the loss reverses, and two
// other nodes for it. It draws no relation that is also true in reverse: a symmetric one, one
// between nodes with the same words, or one whose reverse is in the graph. Between the two other
// nodes the graph has neither the relation nor its reverse.
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
