package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// TestRestated changes one word of a text, of which the rest says the same again or not.
func TestRestated(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		caption, word, by string
		method            methods.Method
		want              bool
	}{
		{"Put the spices into a pan until the spices are toasted.", "spices", "onions", methods.FillObject, true},
		{"A man walks two dogs. The man and his dogs are in a yard.", "dogs", "horses", methods.FillObject, true},
		{"Six dogs play in a yard. A small dog sleeps.", "dogs", "cats", methods.FillObject, true},
		{"A dog on a bench next to another dog.", "dog", "cat", methods.FillObject, false},
		{"A dog on a bench next to a cat.", "dog", "horse", methods.FillObject, false},
		{"A black dog lies in leaves. The dog's glossy black coat shines.", "black", "white", methods.FillAttribute, true},
		{"A blue helmet, matching the clear blue sky above.", "blue", "red", methods.FillAttribute, true},
		{"A man in a black shirt, its dark hue contrasting with the walls.", "black", "yellow", methods.FillAttribute, true},
		{"A red car next to a red truck.", "red", "blue", methods.FillAttribute, false},
		{"A black dog lies in leaves. The dog is happy.", "black", "white", methods.FillAttribute, false},
		{"A train in a snowy landscape. The trees are covered in snow.", "snowy", "lush", methods.FillAttribute, true},
		{"A stony path. The steps are of stone.", "stony", "grassy", methods.FillAttribute, true},
		{"A wooden bench in a park. A man sits on it.", "wooden", "metal", methods.FillAttribute, false},
		{"There are two helmets, one gleaming and the other black.", "two", "four", methods.FillQuantity, true},
		{"A car with four headlights. The headlights, two on each side, shine.", "four", "three", methods.FillQuantity, true},
		{"Two dogs and three cats on a rug.", "two", "four", methods.FillQuantity, false},
		{"The man on the left holds a racket. On the right, his friend waits.", "left", "right", methods.ReverseDirection, true},
		{"A building has a tower on the left. The tower to its left is tall.", "left", "right", methods.ReverseDirection, true},
		{"A dog is on the left of the image. A bench is on the left of the image.", "left", "right", methods.ReverseDirection, false},
		{"A dog on the left of a bench.", "left", "right", methods.ReverseDirection, false},
	} {
		img := &Image{Key: c.caption, Captions: []Caption{parseWith(parser, c.caption)}}
		g.facts.readCaptions(img)
		var w captionWords
		w.read(g.dict.words, &img.Captions[0], g.facts.objects)
		i := slices.Index(w.lower, c.word)
		if i < 0 {
			t.Fatalf("%q has no token %q: %s", c.caption, c.word, strings.Join(w.lower, " "))
		}
		if got := w.isRestated(c.method, 0, len(w.tokens), []splice{{i, i, c.by}}); got != c.want {
			t.Errorf("%q with %q for %q: %v, want %v", c.caption, c.by, c.word, got, c.want)
		}
	}
}

// TestClashes puts an attribute beside others of its noun.
func TestClashes(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		caption, word, by string
		want              bool
	}{
		{"A tower against a clear, bright blue sky.", "bright", "overcast", true},
		{"A beach under a clear blue sky.", "blue", "gray", true},
		{"A woman in a vibrant purple jacket.", "purple", "gray", true},
		{"A lush green court.", "green", "orange", true},
		{"A woman in a vibrant purple jacket.", "purple", "yellow", false},
		{"A black and white cat on a bed.", "white", "orange", false},
		{"A small red car.", "red", "blue", false},
		{"A child with golden blonde hair.", "golden", "blue", true},
		{"Lush green trees and plants.", "lush", "bare", true},
		{"A snowy landscape.", "snowy", "green", false},
		{"A gray and white shirt.", "gray", "white", true},
		{"A bright blue car.", "bright blue", "gray", false}, // of which nothing stays
	} {
		img := &Image{Key: c.caption, Captions: []Caption{parseWith(parser, c.caption)}}
		g.facts.readCaptions(img)
		var w captionWords
		w.read(g.dict.words, &img.Captions[0], g.facts.objects)
		i := slices.Index(w.lower, strings.Fields(c.word)[0])
		last := i + strings.Count(c.word, " ")
		if got := w.clashes(i, last, w.headAfter(last), g.dict.words.Property(c.by)); got != c.want {
			t.Errorf("%q with %q for %q: %v, want %v", c.caption, c.by, c.word, got, c.want)
		}
	}
}

// TestClashesAround gives a thing another colour than its outside has, or that of what is on it.
func TestClashesAround(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		caption, thing, was, is string
		want                    bool
	}{
		{"A gray tarmac with a gray surface.", "tarmac", "gray", "black", true},
		{"A cat with orange fur. The cat is orange.", "fur", "orange", "white", true},
		{"A white sign bearing a word in red letters.", "sign", "white", "red", true},
		{"A white sign bearing a word in red letters.", "sign", "white", "blue", false},
		{"A woman in a white shirt adorned with black butterflies.", "shirt", "white", "black", true},
		{"A woman in a white shirt adorned with black butterflies.", "butterflies", "black", "white", true},
		{"A woman in a white shirt adorned with black butterflies.", "butterflies", "black", "red", false},
		{"A white car next to a black car.", "car", "white", "black", false},
	} {
		img := &Image{Key: c.caption, Captions: []Caption{parseWith(parser, c.caption)}}
		g.facts.readCaptions(img)
		job := captionJob{dict: g.dict, facts: &g.facts, caption: &img.Captions[0]}
		object := slices.IndexFunc(job.caption.Graph.Objects, func(o schemas.Object) bool { return o.Name == c.thing })
		if object < 0 {
			t.Fatalf("%q has no %s: %+v", c.caption, c.thing, job.caption.Graph)
		}
		if got := job.clashesAround(int32(object), unchanged, g.dict.words.Property(c.was), g.dict.words.Property(c.is)); got != c.want {
			t.Errorf("%q with a %s %s: %v, want %v", c.caption, c.is, c.thing, got, c.want)
		}
	}
}
