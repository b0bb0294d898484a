package scenegraph

import (
	"testing"

	"capgraph/schemas"
)

// graph makes a graph of objects "red old bus" and relations subject, lemma,
// object.
func object(head string, attributes ...string) schemas.Object {
	o := schemas.Object{Name: head, Head: head}
	for _, a := range attributes {
		o.Attributes = append(o.Attributes, schemas.Attribute{Text: a, Form: schemas.Pre})
	}
	return o
}

func relation(s int32, lemma string, o int32) schemas.Relation {
	return schemas.Relation{Subject: s, Predicate: lemma, Lemma: lemma, Object: o}
}

func TestDecompose(t *testing.T) {
	g := &schemas.SceneGraph{
		Objects:   []schemas.Object{object("man", "tall", "old"), object("bus")},
		Relations: []schemas.Relation{relation(0, "on", 1)},
	}
	got := Decompose(g, nil)
	want := []SubGraph{
		{0, 0, 1, 3, 0}, {-1, 0, 0, 3, 0}, {-1, 0, 0, 1, 0}, {-1, 0, 0, 2, 0}, {0, 0, 1, 0, 0}, {-1, 0, 0, 0, 0}, {-1, 1, 1, 0, 0},
	}
	if len(got) != len(want) {
		t.Fatalf("%d sub-graphs %v, want %d", len(got), got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("sub-graph %d is %v, want %v", i, got[i], want[i])
		}
	}
	if n := len(Decompose(&schemas.SceneGraph{}, nil)); n != 0 {
		t.Errorf("the empty graph has %d sub-graphs", n)
	}
	many := object("thing")
	for range 70 {
		many.Attributes = append(many.Attributes, schemas.Attribute{Text: "x"})
	}
	if n := len(Decompose(&schemas.SceneGraph{Objects: []schemas.Object{many}}, nil)); n != 66 {
		t.Errorf("an object with 70 attributes has %d sub-graphs, want 1 + 64 + 1", n)
	}
}
