package negatives

import (
	"context"
	"slices"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/schemas"
)

// proposals proposes one replacement for each text of a slot.
type proposals map[string]string

func (p proposals) Propose(_ context.Context, asked []slots.Slot, out [][]slots.Candidate) error {
	for i := range asked {
		if text, ok := p[asked[i].Text]; ok {
			out[i] = []slots.Candidate{{Text: text, Cum: 1}}
		}
	}
	return nil
}

// TestProposalsReachTheirSlots asks for the slots of two captions at once.
func TestProposalsReachTheirSlots(t *testing.T) {
	opts := Defaults()
	opts.Replacements, opts.Methods = FromLLM, []string{methods.FillAttribute.String()}
	g, err := NewWithProposer(opts, testVocabulary(t, testCounts()...), proposals{"red": "blue", "large": "small", "wet": "dry"}, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the replies for one image are gone with it
		pools := make([]schemas.Pool, 2)
		img := &Image{Captions: []Caption{tagged("A/DT red/JJ bus/NN by/IN an/DT odd/JJ car/NN"), tagged("A/DT wet/JJ dog/NN on/IN a/DT large/JJ couch/NN")}}
		if err := g.Texts(t.Context(), img, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		for i, want := range [][]string{{"A blue bus by an odd car"}, {"A dry dog on a large couch", "A wet dog on a small couch"}} {
			if got := negTexts(pools[i]); !slices.Equal(got, want) {
				t.Errorf("negatives of caption %d: %q, want %q", i, got, want)
			}
		}
	}
}
