package vocabulary

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"

	"capgraph/internal/lexicon"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// tallied counts images whose captions name things with attributes, and reads the counts.
func tallied(t *testing.T, keys int, images ...[]grammar.Caption) *Vocabulary {
	t.Helper()
	type id struct{ kind, key string }
	all := map[id]int64{}
	c := NewCounter()
	for _, captions := range images {
		c.CountImage(captions, func(kind, key string, n int64) { all[id{kind, key}] += n })
	}
	lex, err := lexicon.Open()
	if err != nil {
		t.Fatal(err)
	}
	sorted := slices.SortedFunc(maps.Keys(all), func(a, b id) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key)) })
	rows := func(yield func(schemas.Count) bool) {
		for _, x := range sorted {
			if !yield(schemas.Count{Kind: x.kind, Key: x.key, N: all[x]}) {
				return
			}
		}
	}
	v, err := Read(iter.Seq[schemas.Count](rows), lex, lexicon.NewInflector(), Limits{Min: 1, Keys: keys}, func(schemas.Count) {})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// thing is a caption that names one thing.
func thing(head string, attributes ...string) grammar.Caption {
	o := schemas.Object{Name: head, Head: head}
	for _, a := range attributes {
		o.Attributes = append(o.Attributes, schemas.Attribute{Text: a, Form: schemas.Pre})
	}
	return grammar.Caption{Graph: schemas.SceneGraph{Objects: []schemas.Object{o}}}
}

// many is one image for each of n captions.
func many(n int, c ...grammar.Caption) (all [][]grammar.Caption) {
	for range n {
		all = append(all, c)
	}
	return all
}

func TestAttributesThatNeverStandTogetherExcludeEachOther(t *testing.T) {
	images := slices.Concat(
		many(40, thing("woman", "dark-skinned")), many(40, thing("woman", "pale-skinned")), many(3, thing("woman", "spotted-skinned")),
		many(40, thing("woman", "freckled", "dark-skinned")), many(40, thing("woman", "freckled", "pale-skinned")),
		// Captions of one image say both of one thing.
		many(40, thing("controller", "nintendo"), thing("controller", "handheld")),
		many(40, thing("kimono", "brunette")), many(40, thing("kimono", "dark-haired")), // similar in WordNet
		many(40, thing("van", "manual")), many(40, thing("van", "very manual")),
		many(40, thing("bus", "red")), many(40, thing("bus", "wooden")), // of two dimensions
	)
	v := tallied(t, 1<<17, images...)
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"dark-skinned", "pale-skinned", true},
		{"dark-skinned", "freckled", false},
		{"dark-skinned", "spotted-skinned", false}, // too few to tell
		{"nintendo", "handheld", false},
		{"brunette", "dark-haired", false},
		{"manual", "very manual", false},
		{"red", "wooden", false},
		{"dark-skinned", "manual", false}, // of no head in common
	} {
		if got := v.Exclusive(x.a)[x.b]; got != x.want || v.Exclusive(x.b)[x.a] != got {
			t.Errorf("%s, %s exclude each other: %v, want %v both ways", x.a, x.b, got, x.want)
		}
	}
}

// What is left out of the counts may be as frequent as the rarest that is kept.
func TestAttributesDoNotExcludeEachOtherIfCountsWereLeftOut(t *testing.T) {
	var images [][]grammar.Caption
	for i := range 4 {
		images = append(images, many(20, thing("chair", fmt.Sprint("kind", i), fmt.Sprint("sort", i)))...)
	}
	images = append(images, many(60, thing("woman", "dark-skinned"))...)
	images = append(images, many(60, thing("woman", "pale-skinned"))...)
	if v := tallied(t, 1<<17, images...); !v.Exclusive("dark-skinned")["pale-skinned"] {
		t.Error("dark-skinned and pale-skinned do not exclude each other though all counts are kept")
	}
	if v := tallied(t, 3, images...); v.Exclusive("dark-skinned")["pale-skinned"] {
		t.Error("dark-skinned and pale-skinned exclude each other though counts of pairs were left out")
	}
}

func TestIsMissing(t *testing.T) {
	v := tallied(t, 1<<17, slices.Concat(many(50, thing("pilot", "tall")), many(50, thing("cook", "in white")), many(50, thing("cook", "short")), many(2, thing("judge")))...)
	for _, x := range []struct {
		head, attribute string
		want            bool
	}{
		{"cook", "tall", true}, {"pilot", "tall", false}, {"pilot", "short", true},
		{"cook", "white", false},    // it has "in white"
		{"judge", "striped", false}, // of an attribute that it has nowhere
		{"judge", "tall", false},    // too few to tell
		{"clown", "tall", false},
	} {
		if got := v.IsMissing(x.head, x.attribute, 1); got != x.want {
			t.Errorf("%q of %q is missing: %v, want %v", x.attribute, x.head, got, x.want)
		}
	}
}

func TestSideBySide(t *testing.T) {
	caption := func(text string) grammar.Caption {
		return grammar.Caption{
			Text:   text,
			Tokens: []schemas.Token{{Begin: 0, End: 1, Tag: "DT", Lemma: "a"}, {Begin: 2, End: 6, Tag: "NN", Lemma: text[2:6]}, {Begin: 7, End: 10, Tag: "CC", Lemma: text[7:10]}, {Begin: 11, End: 12, Tag: "DT", Lemma: "a"}, {Begin: 13, End: 18, Tag: "NN", Lemma: text[13:]}},
			Graph:  schemas.SceneGraph{Objects: []schemas.Object{{Name: text[2:6], Head: text[2:6], Begin: 2, End: 6}, {Name: text[13:], Head: text[13:], Begin: 13, End: 18}}},
		}
	}
	v := tallied(t, 1<<17, slices.Concat(many(3, caption("a cook and a pilot")), many(2, caption("a cook and a judge")), many(5, caption("a cook nor a nurse")))...)
	if !v.SideBySide("cook")["pilot"] || !v.SideBySide("pilot")["cook"] {
		t.Error("a cook and a pilot are not side by side")
	}
	if v.SideBySide("cook")["judge"] || v.SideBySide("cook")["nurse"] {
		t.Error("what two captions have, or without \"and\", is side by side")
	}
}
