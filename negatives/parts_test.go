package negatives

import (
	"slices"
	"testing"

	"capgraph/schemas"
)

// TestPartsOfTexts compares what texts state: a caption states what its sub-graphs do, a synonym what
// the word does, and a negative something else.
func TestPartsOfTexts(t *testing.T) {
	texts := func(caption string, objects ...schemas.Object) schemas.Pool {
		c := tagged(caption)
		for i := range objects {
			objects[i].Name = objects[i].Head
			objects[i].Begin, objects[i].End = schemas.NoOffset, schemas.NoOffset
		}
		c.Graph.Objects = objects
		if len(objects) == 2 {
			c.Graph.Relations = []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1, Begin: schemas.NoOffset, End: schemas.NoOffset}}
		}
		pools, _ := generate(t, Defaults(), &Image{Key: caption, Captions: []Caption{c}})
		return pools[0]
	}
	grey := []schemas.Attribute{{Text: "grey", Form: schemas.Pre, Begin: schemas.NoOffset, End: schemas.NoOffset}}
	silver := []schemas.Attribute{{Text: "silver", Form: schemas.Pre, Begin: schemas.NoOffset, End: schemas.NoOffset}}
	p := texts("a/DT grey/JJ dog/NN on/IN a/DT sofa/NN", schemas.Object{Head: "dog", Attributes: grey}, schemas.Object{Head: "sofa"})
	caption := p.Positives[0].Parts
	if len(caption) != 4 || !slices.IsSorted(caption) { // dog, sofa, grey, on
		t.Errorf("the caption has the parts %d, want 4, ascending", caption)
	}
	for _, x := range p.Positives[1:] {
		if len(x.Parts) == 0 || x.Count < 1 || slices.ContainsFunc(x.Parts, func(part int32) bool { return !slices.Contains(caption, part) }) {
			t.Errorf("%q has the parts %d and the count %d: want some of %d", x.Text, x.Parts, x.Count, caption)
		}
	}
	for _, x := range p.Negatives {
		if len(x.Parts) > 0 && !slices.ContainsFunc(x.Parts, func(part int32) bool { return !slices.Contains(caption, part) }) {
			t.Errorf("the negative %q of %q has no part but the caption's", x.Text, p.Positives[x.Of].Text)
		}
	}
	same := texts("a/DT silver/JJ dog/NN on/IN a/DT couch/NN", schemas.Object{Head: "dog", Attributes: silver}, schemas.Object{Head: "couch"})
	if !slices.Equal(same.Positives[0].Parts, caption) {
		t.Errorf("synonyms have the parts %d, want %d", same.Positives[0].Parts, caption)
	}
	other := texts("a/DT dog/NN on/IN a/DT table/NN", schemas.Object{Head: "dog"}, schemas.Object{Head: "table"})
	if shared := slices.DeleteFunc(slices.Clone(other.Positives[0].Parts), func(part int32) bool { return !slices.Contains(caption, part) }); len(shared) != 1 {
		t.Errorf("another caption with a dog shares the parts %d, want one", shared)
	}
	if none := texts("nothing/NN").Positives[0]; len(none.Parts) != 0 || none.Count != 1 {
		t.Errorf("a caption without a graph has the parts %d and the count %d", none.Parts, none.Count)
	}
}
