package negatives

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"capgraph/schemas"
)

// elsewhereCaptions are captions of one image. Their nouns are alike in chains, so that their
// classes depend on the order: a dog is an animal, and so is a cat.
func elsewhereCaptions(r *rand.Rand, n int) []Caption {
	any := func(of ...string) string { return of[r.IntN(len(of))] }
	captions := make([]Caption, n)
	for i := range captions {
		c := &captions[i]
		gr := &c.Graph
		for range 1 + r.IntN(3) {
			o := object(any("dog", "animal", "cat", "man", "woman", "person", "bus", "vehicle", "car", "kitchen", "table", "child"))
			if r.IntN(2) == 0 {
				o.Attributes = []schemas.Attribute{{Text: any("red", "blue", "small", "wooden"), Form: schemas.Pre, Begin: -1, End: -1}}
			}
			if r.IntN(4) == 0 {
				o.Quantity = any("two", "several")
			}
			gr.Objects = append(gr.Objects, o)
		}
		if len(gr.Objects) > 1 {
			lemma := any("on", "ride", "next to")
			gr.Relations = []schemas.Relation{{Subject: 0, Predicate: lemma, Lemma: lemma, Object: 1, Begin: -1, End: -1}}
		}
		c.Text = fmt.Sprintf("a caption with number %d in bikini", i)
		if i%5 > 0 {
			c.Text = c.Text[:len(c.Text)-len(" in bikini")]
		}
		verb := any("ride", "jump", "sit")
		c.Tokens = []schemas.Token{{Begin: 0, End: 1, Tag: "DT", Lemma: "a"}, {Begin: 2, End: 9, Tag: "VB", Lemma: verb}, {Begin: int32(len(c.Text) - 6), End: int32(len(c.Text)), Tag: "NN", Lemma: "x"}}
	}
	return captions
}

// knownFacts says what is known, with each class by the place of its first noun.
func knownFacts(k *facts) map[string]bool {
	first, facts := map[int]int{}, map[string]bool{}
	for i, class := range k.classes {
		if _, ok := first[class]; !ok {
			first[class] = i
		}
	}
	say := func(format string, args ...any) { facts[fmt.Sprintf(format, args...)] = true }
	for i, n := range k.nouns {
		say("noun %d is %s of class %d, several %v", i, n.Key, first[k.classes[i]], k.several[k.classes[i]])
	}
	for _, a := range k.attributes {
		say("%d is %s", first[a.class], a.is.Text)
	}
	for _, r := range k.relations {
		say("%d is %s %d", first[r.subject], r.relation.Key, first[r.object])
	}
	for _, lemma := range k.lemmas.appendTo(nil) {
		say("lemma %d", lemma)
	}
	for w, bits := range k.present.bits {
		if bits|k.exact.bits[w] != 0 {
			say("synsets %d: %x, %x", w, bits, k.exact.bits[w])
		}
	}
	say("names %v, setting %v, kinds %b, bare %v", k.names, k.setting, k.kinds, k.bare)
	return facts
}

// TestElsewhereIsKnownAsCaptionsAre compares what is known of an image by captions that lie
// elsewhere with what is known by the same captions beside its own.
func TestElsewhereIsKnownAsCaptionsAre(t *testing.T) {
	vocabulary := testVocabulary(t)
	newGenerator := func() *Generator {
		g, err := New(Defaults(), vocabulary, 7)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 40 {
		all := elsewhereCaptions(r, 12)
		hash := func(c *Caption) uint64 { return xxhash.Sum64String(c.Text) }
		far := slices.Clone(all[round%3:]) // so that some own captions are not among them
		slices.SortFunc(far, func(a, b Caption) int {
			if hash(&a) < hash(&b) {
				return -1
			}
			return 1
		})
		hashes := make([]uint64, len(far))
		for i := range far {
			hashes[i] = hash(&far[i])
		}
		g := newGenerator()
		e, err := newGenerator().ReadElsewhere("image", hashes, func(i int) (Caption, error) { return far[i], nil })
		if err != nil {
			t.Fatal(err)
		}
		for own := range all[:len(all)-1] {
			both := all[own : own+2]
			g.facts.readCaptions(&Image{Captions: both})
			g.hearsay.begin(e, both)
			g.facts.loadCaptions(&g.hearsay)
			heard := knownFacts(&g.facts)

			beside := slices.Clone(both)
			for i := range far {
				if !slices.ContainsFunc(both, func(c Caption) bool { return c.Text == far[i].Text }) {
					beside = append(beside, far[i])
				}
			}
			g.facts.readCaptions(&Image{Captions: beside})
			if want := knownFacts(&g.facts); !maps.Equal(heard, want) {
				t.Fatalf("round %d, captions %d and %d: heard\n%v\nnot\n%v", round, own, own+1, slices.Sorted(maps.Keys(heard)), slices.Sorted(maps.Keys(want)))
			}
		}
	}
}
