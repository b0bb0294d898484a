package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// tellingOf are the positives of a caption that are no sentences and not the caption.
func tellingOf(t *testing.T, text string) (all []schemas.Positive) {
	t.Helper()
	pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{parsed(t, text)}})
	return slices.DeleteFunc(pools[0].Positives[1:], func(p schemas.Positive) bool { return p.Kind == schemas.KindSentence })
}

const longCaption = "A man in a beautiful red shirt is holding a serene brown dog on a wooden bench. A white bus is parked behind the bench. " +
	"A flower with a center stands in a vase. A flower with a yellow center stands in a pot."

// TestLongCaptionsSayWhatInforms leaves judgement and bare nouns out of the parts of a long caption.
func TestLongCaptionsSayWhatInforms(t *testing.T) {
	got := tellingOf(t, longCaption)
	objects := 0
	for _, p := range got {
		if p.Kind == schemas.KindObject {
			objects++
		}
		for _, word := range []string{"beautiful", "serene"} {
			if strings.Contains(p.Text, word) {
				t.Errorf("%q judges", p.Text)
			}
		}
		if strings.Contains(p.Text, "a center") || slices.Contains([]string{"a man", "a dog", "a bus", "there is a dog"}, p.Text) {
			t.Errorf("%q tells little", p.Text)
		}
	}
	if len(got) < 4 || 2*objects > len(got)+4 {
		t.Errorf("%d objects of %v", objects, got)
	}
}

// TestShortCaptionsKeepBareNouns says the nouns of a caption of one sentence, as before.
func TestShortCaptionsKeepBareNouns(t *testing.T) {
	got := tellingOf(t, "A man in a beautiful red shirt is holding a brown dog")
	for _, want := range []string{"man", "dog", "beautiful"} {
		if !slices.ContainsFunc(got, func(p schemas.Positive) bool { return strings.Contains(p.Text, want) }) {
			t.Errorf("nothing says %s: %v", want, got)
		}
	}
	if !slices.ContainsFunc(got, func(p schemas.Positive) bool {
		return strings.HasSuffix(p.Text, "a dog") && p.Kind == schemas.KindObject
	}) {
		t.Errorf("no bare noun: %v", got)
	}
}

// TestDressed says "donned in" as English has it.
func TestDressed(t *testing.T) {
	c := Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("man"), object("shirt")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "donned in", Lemma: "don in", Object: 1}},
	}}
	got := positivesOf(t, c)
	if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "dressed in a shirt") }) || strings.Contains(strings.Join(got, " "), "donned") {
		t.Errorf("%q", got)
	}
}

// TestAttributesOnce says no "red and red" of a thing with one attribute twice.
func TestAttributesOnce(t *testing.T) {
	for _, s := range positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("mat", "red", "red")}}}) {
		if strings.Count(s, "red") > 1 {
			t.Errorf("%q", s)
		}
	}
}

// TestWornBesideARelation says what a person wears with what the person does, in long captions.
func TestWornBesideARelation(t *testing.T) {
	got := tellingOf(t, "A woman is wearing a yellow raincoat. She is holding a black umbrella. A bus stands behind a tree.")
	if !slices.ContainsFunc(got, func(p schemas.Positive) bool {
		return strings.Contains(p.Text, "woman in a yellow raincoat") && strings.HasSuffix(p.Text, "holding a black umbrella")
	}) {
		t.Errorf("%v", got)
	}
	for _, p := range got {
		if strings.Count(p.Text, "raincoat") > 1 || strings.Contains(p.Text, "bus in") {
			t.Errorf("%q", p.Text)
		}
	}
}
