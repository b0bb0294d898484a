package scenegraph_test

import (
	"reflect"
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
