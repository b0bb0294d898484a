package ruleparse_test

import (
	"os"
	"strings"
	"testing"

	"capgraph/ruleparse"
	"capgraph/schemas"
)

// TestPartsHaveConfidence compares parts that the parser is sure of with parts of titles, and checks
// the range.
func TestPartsHaveConfidence(t *testing.T) {
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	var sure, unsure schemas.Parsed
	p.ParseText("A brown dog sitting on a red couch.", &sure)
	p.ParseText("Vtg Lot Hall Chevy Mug Set NIB Deluxe", &unsure)
	if g := sure.Graph; len(g.Objects) != 2 || len(g.Relations) != 1 || len(g.Objects[0].Attributes) != 1 {
		t.Fatalf("%+v", g)
	}
	if p := sure.Graph.Objects[0].Confidence; p < 0.9 {
		t.Errorf("a dog has confidence %g", p)
	}
	if p := sure.Graph.Relations[0].Confidence; p < 0.8 {
		t.Errorf("a dog sitting on a couch has confidence %g", p)
	}
	for _, o := range unsure.Graph.Objects {
		for _, a := range o.Attributes {
			if a.Confidence >= sure.Graph.Objects[0].Attributes[0].Confidence {
				t.Errorf("%q of %q has confidence %g, brown of a dog %g", a.Text, o.Name, a.Confidence, sure.Graph.Objects[0].Attributes[0].Confidence)
			}
		}
	}
	sample, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sample)) {
		_, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		var x schemas.Parsed
		p.ParseText(text, &x)
		check := func(part string, p float32) {
			if !(p > 0 && p < 1) {
				t.Errorf("%q: %s has confidence %g", text, part, p)
			}
		}
		for _, o := range x.Graph.Objects {
			check(o.Name, o.Confidence)
			for _, a := range o.Attributes {
				check(a.Text, a.Confidence)
			}
		}
		for _, r := range x.Graph.Relations {
			check(r.Predicate, r.Confidence)
		}
	}
}

// TestMeasuredReliability has tenths in order for each kind of part, and shares that rise with them.
func TestMeasuredReliability(t *testing.T) {
	bins, err := ruleparse.MeasuredReliability()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, b := range bins {
		kinds[b.Kind] += b.Parts
		if b.Predicted < 0 || b.Predicted > 1 || b.Right < 0 || b.Right > 1 || b.Parts < 1 {
			t.Errorf("bin %d: %+v", i, b)
		}
		if i > 0 && bins[i-1].Kind == b.Kind && bins[i-1].Predicted >= b.Predicted {
			t.Errorf("%+v follows %+v", b, bins[i-1])
		}
	}
	for _, kind := range []string{"object", "attribute", "relation"} {
		if kinds[kind] < 1000 {
			t.Errorf("%d parts of kind %s", kinds[kind], kind)
		}
	}
}
