package negatives

import (
	"slices"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/whole"
	"capgraph/schemas"
)

// TestWholeNegativesAreJudged keeps of what a model writes what captions could say, by what captions of other
// corpora say, and tells what it was judged by.
func TestWholeNegativesAreJudged(t *testing.T) {
	vocab, err := NewVocabulary(slices.Values([]schemas.Count{}), Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		caption, kind, written string
		as                     methods.Method
		kept                   bool
	}{
		{"a man riding a horse", whole.ReplaceObject, "a man riding an elephant", methods.FillObject, true},
		{"a man riding a horse", whole.ReplaceObject, "a man riding a lamp", methods.FillObject, false},
		{"a cat on a couch", whole.ReplaceObject, "a dog on a couch", methods.FillObject, true},
		{"a cat on a couch", whole.ReplaceObject, "a toothbrush on a couch", methods.FillObject, false},
		{"a white cat", whole.ReplaceObject, "a white dog", methods.FillObject, true},
		{"a red bus on a street", whole.ReplaceAttribute, "a blue bus on a street", methods.FillAttribute, true},
		{"two dogs on a couch", whole.ReplaceAttribute, "three dogs on a couch", methods.FillQuantity, true},
		{"a cat sitting on a table", whole.ReplaceRelation, "a cat sitting under a table", methods.ReplaceRelation, true},
		{"a man watching a woman", whole.SwapObjects, "a woman watching a man", methods.FillObject, true},
		{"a dog chasing a cat", whole.SwapObjects, "a cat chasing a dog", methods.FillObject, true},
		{"a plate on a shelf", whole.SwapObjects, "a shelf on a plate", noMethod, false},
		{"a woman holding a phone", whole.SwapObjects, "a phone holding a woman", noMethod, false},
		{"a man in front of a bus", whole.SwapObjects, "a bus in front of a man", methods.FillObject, true},
		{"a man riding a horse", whole.SwapObjects, "a horse riding a man", noMethod, false},
		{"a cat sitting on a couch", whole.SwapObjects, "a couch sitting on a cat", noMethod, false},
		{"a white dog chasing a black cat", whole.SwapAttributes, "a black dog chasing a white cat", methods.SwapAttributes, true},
		{"a man riding a horse", whole.AddObject, "a man riding a horse beside a dog", methods.AddObject, true},
		{"a man riding a horse", whole.AddObject, "a man riding a horse beside a toothbrush", methods.AddObject, false},
		{"a man riding a horse", whole.AddAttribute, "a man riding a brown horse", methods.AddAttribute, true},
	} {
		opts := Defaults()
		opts.Methods, opts.Replacements = nil, FromLLM
		g, err := NewWithProposer(opts, vocab, silent{}, 1, 7)
		if err != nil {
			t.Fatal(err)
		}
		g.WithAuthor(script{c.caption: {{Type: c.kind, Text: c.written}}}, ruleParser())
		pools := make([]schemas.Pool, 1)
		asked := noMethod
		drops := Drops{Judged: func(j Judged) {
			asked = j.As
			if j.Method != "llm_"+c.kind || j.Text != c.written || j.Positive != c.caption || j.Cut != vocab.judgement.Cuts[j.As] || len(j.Evidence) != len(plausible.EvidenceNames(j.As)) {
				t.Errorf("judged %+v", j)
			}
		}}
		if err := g.Texts(t.Context(), imageOf(c.caption), pools, &drops); err != nil {
			t.Fatal(err)
		}
		implausible := drops.N[ReasonImplausible] == 1
		if kept := len(pools[0].Negatives) == 1; kept != c.kept || implausible == c.kept || asked != c.as {
			t.Errorf("%s: %q of %q is kept: %v, want %v; dropped %v, judged as %v, want %v", c.kind, c.written, c.caption, kept, c.kept, drops.N, asked, c.as)
		}
	}
}

// noMethod is none.
const noMethod = methods.Method(len(methods.Names))
