package ruleparse

import (
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestTagsHaveNoRelationsAcrossCommas parses lists of tags, and a sentence with as many commas.
func TestTagsHaveNoRelationsAcrossCommas(t *testing.T) {
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var out schemas.Parsed
	for _, text := range []string{
		"1girl, sitting, bench, holding, umbrella, long hair, blue eyes",
		"dog, running, beach, ball, woman standing, near, tree",
		"woman, on, horse, in, field, with, dog",
	} {
		p.ParseText(text, &out)
		for _, r := range out.Graph.Relations {
			a, b := out.Graph.Objects[r.Subject].Begin, out.Graph.Objects[r.Object].Begin
			if strings.Contains(text[min(a, b):max(a, b)], ",") {
				t.Errorf("%s: %s over a comma", text, r.Predicate)
			}
		}
	}
	p.ParseText("A dog, which is brown, sits on a mat, near a tree, with a ball", &out)
	if len(out.Graph.Relations) == 0 {
		t.Error("a sentence with commas has no relations")
	}
}
