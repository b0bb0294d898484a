package scenegraph_test

import (
	"reflect"
	"slices"
	"testing"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

func TestSay(t *testing.T) {
	g := schemas.SceneGraph{
		Objects: []schemas.Object{
			{Name: "umbrellas", Quantity: "two", Attributes: []schemas.Attribute{{Text: "wet", Form: schemas.Pre}, {Text: "red", Form: schemas.Pre}}},
			{Name: "woman", Attributes: []schemas.Attribute{{Text: "in blue", Form: schemas.Post}, {Text: "tall", Form: schemas.Pre}}},
			{Name: "кот"},
		},
		Relations: []schemas.Relation{
			{Subject: 1, Predicate: "is holding", Lemma: "hold", Object: 0},
			{Subject: 1, Predicate: "standing next to", Lemma: "stand next to", Object: 2},
			{Subject: 1, Predicate: "of no object", Lemma: "of", Object: 7},
			{Subject: 1, Predicate: "of itself", Lemma: "of", Object: 1},
			{Subject: 0, Predicate: "", Lemma: "", Object: 1},
			{Subject: 2, Predicate: "standby", Lemma: "standby", Object: 0},
		},
	}
	want := scenegraph.WordGraph{
		Nodes: []string{"two wet red umbrellas", "tall woman in blue", "кот"},
		Relations: []scenegraph.WordRelation{
			{Subject: 1, Object: 0, Predicate: "is holding"},
			{Subject: 1, Object: 2, Predicate: "standing next to", IsSymmetric: true},
			{Subject: 2, Object: 0, Predicate: "standby"},
		},
	}
	if got := scenegraph.NewWordGraph("…", &g); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := scenegraph.NewWordGraph("well, well", &schemas.SceneGraph{}); !reflect.DeepEqual(got, scenegraph.WordGraph{Nodes: []string{"well, well"}}) {
		t.Errorf("without objects: %+v", got)
	}
	huge := schemas.SceneGraph{Objects: make([]schemas.Object, 1000), Relations: make([]schemas.Relation, 1000)}
	for i := range huge.Relations {
		huge.Relations[i] = schemas.Relation{Subject: int32(i), Predicate: "on", Object: int32(999 - i)}
	}
	if got := scenegraph.NewWordGraph("", &huge); len(got.Nodes) != 64 || len(got.Relations) != 0 {
		t.Errorf("a huge graph has %d nodes, %d relations", len(got.Nodes), len(got.Relations))
	}
}

func TestAlter(t *testing.T) {
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
			d := scenegraph.Draw{Seed: 7, Epoch: epoch}
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
