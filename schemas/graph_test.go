package schemas

import (
	"slices"
	"testing"
)

func TestKeepAsserted(t *testing.T) {
	g := SceneGraph{
		Objects: []Object{
			{Name: "hat", Status: Denied}, {Name: "man", Attributes: []Attribute{{Text: "tall", Status: Denied}, {Text: "old"}}},
			{Name: "bear", Status: Hypothetical}, {Name: "park"}, {Name: "ship", Status: Depicted},
		},
		Relations: []Relation{
			{Subject: 1, Predicate: "wearing", Object: 0}, {Subject: 1, Predicate: "in", Object: 3},
			{Subject: 3, Predicate: "with", Object: 4}, {Subject: 1, Predicate: "leaves", Object: 3, Status: Hypothetical},
		},
	}
	whole := g.Clone()
	g.KeepAsserted()
	var names []string
	for _, o := range g.Objects {
		names = append(names, o.Name)
	}
	if want := []string{"man", "park", "ship"}; !slices.Equal(names, want) {
		t.Errorf("objects %v, want %v", names, want)
	}
	if a := g.Objects[0].Attributes; len(a) != 1 || a[0].Text != "old" {
		t.Errorf("attributes of the man: %v, want only old", a)
	}
	want := []Relation{{Subject: 0, Predicate: "in", Object: 1}, {Subject: 1, Predicate: "with", Object: 2}}
	if !slices.Equal(g.Relations, want) {
		t.Errorf("relations %v, want %v", g.Relations, want)
	}
	whole.RemoveDenied()
	if len(whole.Objects) != 4 || len(whole.Relations) != 3 {
		t.Errorf("without what is denied: %d objects and %d relations, want 4 and 3", len(whole.Objects), len(whole.Relations))
	}
	var empty SceneGraph
	empty.KeepAsserted()
	if len(empty.Objects) != 0 {
		t.Error("an empty graph has objects")
	}
}
