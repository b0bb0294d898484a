package quality_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/grammar"
	"capgraph/negatives/quality"
	"capgraph/ruleparse"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

func parse(t testing.TB, text string) *grammar.Caption {
	t.Helper()
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	var parsed schemas.Parsed
	p.ParseText(text, &parsed)
	return &grammar.Caption{Text: text, Tokens: parsed.Tokens, Graph: parsed.Graph}
}

func model(t testing.TB) *quality.Model {
	t.Helper()
	m, err := quality.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGoodTextsAreLikelierGood compares texts of one caption: one that a reader calls good, and one
// that is garbled, or torn from a name.
func TestGoodTextsAreLikelierGood(t *testing.T) {
	m := model(t)
	for _, c := range []struct{ caption, good, bad string }{
		{"Wells Fargo Building by Mark Jackson", "wells fargo building", "there is a wells fargo building by mark jackson"},
		{"vintage style picture of Paris at dusk with a street along the Seine and the Eiffel Tower in the background", "a street", "an eiffel tower"},
	} {
		caption := parse(t, c.caption)
		var f quality.Features
		f.ReadCaption(caption)
		part := scenegraph.SubGraph{Relation: scenegraph.NoRelation}
		f.Collect(caption, part, c.good)
		good := m.Probability(&f)
		f.Collect(caption, part, c.bad)
		if bad := m.Probability(&f); good <= bad {
			t.Errorf("%q: %q has %.2f, %q has %.2f", c.caption, c.good, good, c.bad, bad)
		}
	}
}

// TestLongCaptionsAreRatedHigher rates one text of a caption of two sentences, and of one of three.
func TestLongCaptionsAreRatedHigher(t *testing.T) {
	m, part := model(t), scenegraph.SubGraph{Relation: scenegraph.NoRelation}
	rate := func(text string) float64 {
		var f quality.Features
		c := parse(t, text)
		f.ReadCaption(c)
		f.Collect(c, part, "a red bus")
		return m.LogOdds(&f)
	}
	two, three := rate("A red bus waits. A dog sleeps."), rate("A red bus waits. A dog sleeps. A cat sleeps.")
	if two >= three {
		t.Errorf("%.2f of two sentences, %.2f of three", two, three)
	}
}

// TestTheEncoderIsHeard gives the tokens of a caption qualities; only those that a text says count.
func TestTheEncoderIsHeard(t *testing.T) {
	m := model(t)
	c := parse(t, "a dog on a mat")
	part := scenegraph.SubGraph{Relation: scenegraph.NoRelation}
	rate := func(dog, mat float32) float64 {
		for i := range c.Tokens {
			c.Tokens[i].Quality = map[string]float32{"dog": dog, "mat": mat}[c.Tokens[i].Lemma]
		}
		var f quality.Features
		f.ReadCaption(c)
		f.Collect(c, part, "a dog")
		return m.Probability(&f)
	}
	alone := rate(0, 0)
	if low, high := rate(-2, 0), rate(2, 0); !(low < alone && low < high) {
		t.Errorf("%.2f with a low quality, %.2f without one, %.2f with a high one", low, alone, high)
	}
	if got := rate(0, 3); got != alone {
		t.Errorf("%.3f with a quality of a word that is not said, want %.3f", got, alone)
	}
	inf := float32(math.Inf(1))
	for _, damaged := range []float32{float32(math.NaN()), inf, -inf} {
		if got := rate(damaged, 0); !(got >= 0 && got <= 1) {
			t.Errorf("%v: %v", damaged, got)
		}
	}
}

// TestGraphsWithoutOffsets checks graphs that a model inferred, with and without tokens.
func TestGraphsWithoutOffsets(t *testing.T) {
	no := schemas.NoOffset
	g := schemas.SceneGraph{
		Objects: []schemas.Object{
			{Name: "dog", Head: "dog", Begin: no, End: no, Attributes: []schemas.Attribute{{Text: "big", Form: schemas.Pre, Begin: no, End: no}}},
			{Name: "mat", Head: "mat", Begin: no, End: no},
		},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1, Begin: no, End: no}},
	}
	m := model(t)
	for _, c := range []grammar.Caption{{Graph: g}, {Text: "it is here", Tokens: parse(t, "it is here").Tokens, Graph: g}} {
		var f quality.Features
		f.ReadCaption(&c)
		for _, part := range scenegraph.Decompose(&c.Graph, nil) {
			f.Collect(&c, part, "a dog on a mat")
			if p := m.Probability(&f); !(p > 0 && p < 1) {
				t.Errorf("%+v: %g", part, p)
			}
		}
	}
}

func TestDamagedModelsAreRefused(t *testing.T) {
	for name, s := range map[string]string{"empty": "", "cut off": "\x00\x00", "no table": "\x00\x00\x00\x00\x01\x00", "rows of two": "\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01\x01"} {
		if _, err := quality.Read(s); err == nil || !strings.HasPrefix(err.Error(), "quality: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzCollect(f *testing.F) {
	f.Add("A man riding a brown horse.", "a man riding a horse")
	f.Add("größe — “Straße” 1950s", "  größe ")
	f.Add("", "")
	p, err := ruleparse.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, caption, text string) {
		var parsed schemas.Parsed
		p.ParseText(caption, &parsed)
		c := grammar.Caption{Text: caption, Tokens: parsed.Tokens, Graph: parsed.Graph}
		var one, two quality.Features
		one.ReadCaption(&c)
		two.ReadCaption(&c)
		for _, part := range scenegraph.Decompose(&c.Graph, nil) {
			if !slices.Equal(one.Collect(&c, part, text), two.Collect(&c, part, text)) {
				t.Fatalf("%q of %q: other features the second time", text, caption)
			}
		}
	})
}
