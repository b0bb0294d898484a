package drawing_test

import (
	"slices"
	"testing"

	"capgraph/scenegraph"
	"capgraph/schemas/drawing"
)

func TestPerturb(t *testing.T) {
	relation := func(s, o int, p string) scenegraph.WordRelation {
		return scenegraph.WordRelation{Subject: s, Object: o, Predicate: p}
	}
	symmetric := relation(0, 1, "near")
	symmetric.IsSymmetric = true
	for _, c := range []struct {
		what      string
		said      scenegraph.WordGraph
		relations []int // that may be drawn; none: no relation is
		pair      bool
	}{
		{"no relation", scenegraph.WordGraph{Nodes: []string{"a", "b"}}, nil, false},
		{"two nodes", scenegraph.WordGraph{Nodes: []string{"a", "b"}, Relations: []scenegraph.WordRelation{relation(0, 1, "on")}}, []int{0}, false},
		{"a symmetric one", scenegraph.WordGraph{Nodes: []string{"a", "b", "c"}, Relations: []scenegraph.WordRelation{symmetric}}, nil, false},
		{"nodes of the same words", scenegraph.WordGraph{Nodes: []string{"dog", "dog", "c"}, Relations: []scenegraph.WordRelation{relation(0, 1, "chasing")}}, nil, false},
		{"both ways", scenegraph.WordGraph{Nodes: []string{"a", "b"}, Relations: []scenegraph.WordRelation{relation(0, 1, "chasing"), relation(1, 0, "chasing")}}, nil, false},
		{"three nodes", scenegraph.WordGraph{Nodes: []string{"a", "b", "c"}, Relations: []scenegraph.WordRelation{symmetric, relation(1, 2, "on")}}, []int{1}, true},
		{"all pairs are true", scenegraph.WordGraph{Nodes: []string{"a", "b", "a"}, Relations: []scenegraph.WordRelation{relation(0, 1, "on")}}, []int{0}, false},
	} {
		for epoch := range uint64(20) {
			d := drawing.Draw{Seed: 7, Epoch: epoch}
			a := d.Perturb("k", &c.said)
			if again := d.Perturb("k", &c.said); again != a {
				t.Fatalf("%s: %+v, then %+v", c.what, a, again)
			}
			if (a.Relation >= 0) != (len(c.relations) > 0) || a.Relation >= 0 && !slices.Contains(c.relations, a.Relation) || (a.Subject >= 0) != c.pair {
				t.Fatalf("%s: %+v", c.what, a)
			}
			if !c.pair {
				continue
			}
			r := c.said.Relations[a.Relation]
			if a.Subject == a.Object || a.Subject == r.Subject && a.Object == r.Object || a.Subject == r.Object && a.Object == r.Subject {
				t.Errorf("%s: %+v", c.what, a)
			}
		}
	}
}
