package factual_test

import (
	"slices"
	"strings"
	"testing"

	"capgraph/ruleparse/internal/model"
	"capgraph/schemas"
)

// TestDiscourseForm has graphs of texts of several sentences, and what DiscoSG's annotators write for them.
func TestDiscourseForm(t *testing.T) {
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	type objects = []schemas.Object
	object := func(name string, attributes ...string) schemas.Object {
		o := schemas.Object{Name: name, Head: name[strings.LastIndexByte(name, ' ')+1:]}
		for _, a := range attributes {
			o.Attributes = append(o.Attributes, schemas.Attribute{Text: a})
		}
		return o
	}
	for _, c := range []struct {
		objects  objects
		relation string // of the first two
		want     string
	}{
		{objects{}, "", ""},
		{objects{object("boat"), object("body of water")}, "float on", "( boat , float on , water )"},
		{objects{object("boy"), object("left hand")}, "have", "( hand , is , left ) , ( boy , have , hand )"},
		{objects{object("sky", "clear blue")}, "", "( sky , is , clear ) , ( sky , is , blue )"},
		{objects{object("shirt", "light blue", "visible")}, "", "( shirt , is , light blue )"},
		{objects{object("tree", "standing tall")}, "", "( tree , is , tall )"},
		{objects{object("wall", "painted white")}, "", "( wall , is , white )"},
		{objects{object("boat", "red"), object("foreground")}, "in", "( boat , is , red )"},
		{objects{object("boat", "red"), object("night")}, "at", "( boat , is , red )"},
		{objects{object("roof", "red"), object("wall", "white")}, "contrast with", "( roof , is , red ) , ( wall , is , white )"},
		{objects{object("house"), object("forest")}, "nestle among", "( house , among , forest )"},
		{objects{object("tree"), object("field")}, "in heart of", "( tree , in , field )"},
	} {
		g := schemas.SceneGraph{Objects: c.objects}
		if c.relation != "" {
			g.Relations = []schemas.Relation{{Subject: 0, Object: 1, Predicate: c.relation, Lemma: c.relation, Begin: schemas.NoOffset, End: schemas.NoOffset}}
		}
		if got := m.Rewriter.Linearise(&g, true); !slices.Equal(strings.Split(got, " , "), strings.Split(c.want, " , ")) {
			t.Errorf("%v %s:\ngot  %s\nwant %s", c.objects, c.relation, got, c.want)
		}
	}
}
