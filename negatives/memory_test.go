package negatives

import (
	"context"
	"testing"

	"capgraph/negatives/slots"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// silent proposes nothing.
type silent struct{}

func (silent) Propose(context.Context, []slots.Slot, [][]slots.Candidate) error { return nil }

// TestManyGeneratorsShareTheMemoryOfOne gives each of many so small a share that
// it forgets after every image, where one that is alone remembers them all.
func TestManyGeneratorsShareTheMemoryOfOne(t *testing.T) {
	opts := Defaults()
	opts.Replacements = FromLLM
	kept := func(among int, captions ...string) int {
		g, err := NewWithProposer(opts, testVocabulary(t, testCounts()...), silent{}, among, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range captions {
			if err := g.Texts(t.Context(), &Image{Captions: []Caption{tagged(c)}}, make([]schemas.Pool, 1), &Drops{}); err != nil {
				t.Fatal(err)
			}
		}
		return g.dict.words.Kept
	}
	const bus, boat = "A/DT red/JJ bus/NN by/IN an/DT old/JJ house/NN", "A/DT wet/JJ dog/NN on/IN a/DT small/JJ boat/NN"
	last := kept(1, boat)
	if got := kept(words.MaxKept, bus, boat); got != last || got == 0 {
		t.Errorf("one of many keeps %d, want the %d of its last image", got, last)
	}
	if got := kept(1, bus, boat); got <= last {
		t.Errorf("one alone keeps %d, no more than the %d of its last image", got, last)
	}
}
