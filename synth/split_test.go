package synth

import (
	"slices"
	"strings"
	"testing"
)

// seen is what a world's scenes to train on hold.
type seen struct {
	pairs, bags       map[[4]int]bool // shapes; shapes and colours, whichever is whose
	assigned, ordered map[[4]int]bool // shapes and colours that are theirs; shapes and who is first
	all               map[arrangement]bool
}

func newSeen(s *Scenes, n int) seen {
	found := seen{map[[4]int]bool{}, map[[4]int]bool{}, map[[4]int]bool{}, map[[4]int]bool{}, map[arrangement]bool{}}
	for i := range n {
		if scene := s.TrainScene(i); len(scene.Objects) == 2 {
			a := of(scene)
			found.all[a] = true
			found.pairs[a.pair()], found.bags[a.bag()], found.assigned[a.assigned()], found.ordered[a.ordered()] = true, true, true, true
		}
	}
	return found
}

func of(s Scene) arrangement {
	a, b := s.Objects[0], s.Objects[1]
	return arrangement{[2]int{a.Shape, b.Shape}, [2]int{a.Colour, b.Colour}, s.Direction}
}

func (a arrangement) pair() [4]int {
	return [4]int{min(a.shapes[0], a.shapes[1]), max(a.shapes[0], a.shapes[1])}
}

func (a arrangement) bag() [4]int {
	p := a.pair()
	return [4]int{p[0], p[1], min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])}
}

func (a arrangement) assigned() [4]int {
	if a.shapes[0] > a.shapes[1] {
		return [4]int{a.shapes[1], a.shapes[0], a.colours[1], a.colours[0]}
	}
	return [4]int{a.shapes[0], a.shapes[1], a.colours[0], a.colours[1]}
}

func (a arrangement) ordered() [4]int {
	return [4]int{a.shapes[0], a.shapes[1], int(a.direction)}
}

// TestTestsExcludeTheirScenes finds in the scenes of each test just what it is
// named for missing from those to train on.
func TestTestsExcludeTheirScenes(t *testing.T) {
	for _, w := range []World{
		{Kind: Free, Plain: true, Seed: 7, Side: 8, Tests: 200},
		{Kind: Fixed, Plain: true, Seed: 3, Side: 8, Tests: 200, Pairs: 0.6},
		{Kind: Fixed, Seed: 1, Side: 8, Tests: 200, Pairs: 0.4, Hard: 0.5},
	} {
		s := drawn(t, w)
		found := newSeen(s, 60000)
		for _, test := range append(Tests[:], TestRetrieval) {
			once := map[arrangement]bool{}
			for i := range s.TestSize(test) {
				scene, changed := s.TestScene(test, i)
				a := of(scene)
				got := []bool{found.pairs[a.pair()], found.bags[a.bag()], found.assigned[a.assigned()], found.ordered[a.ordered()], found.all[a]}
				want := map[string][]bool{
					TestTrained: {true, true, true, true, true}, TestAttributes: {true, true, false, true, false},
					TestWords: {true, false, false, true, false}, TestRetrieval: {true, false, false, true, false},
					TestPairs: {false, false, false, false, false}, TestRelations: {false, false, false, false, false},
					TestOrders: {true, true, true, false, false},
				}[test]
				if !slices.Equal(got, want) {
					t.Fatalf("%+v: %s %d, %s: pair, bag, assignment, order, all of it: seen %v, want %v", w, test, i, scene.Caption(), got, want)
				}
				if same := scene.Caption() == changed.Caption(); same != (test == TestRetrieval) {
					t.Errorf("%s %d: %s; %s", test, i, scene.Caption(), changed.Caption())
				}
				if test == TestRetrieval && once[a] {
					t.Errorf("retrieval %d: %s stands there twice", i, scene.Caption())
				}
				once[a] = true
			}
			if s.TestSize(test) < 150 || test != TestOrders && w.Kind == Free && len(once) < 100 {
				t.Errorf("%+v: %s has %d scenes of %d arrangements", w, test, s.TestSize(test), len(once))
			}
		}
	}
}

// TestWorldsAreOfTheirKind counts what pairs of shapes are trained on in.
func TestWorldsAreOfTheirKind(t *testing.T) {
	free := newSeen(drawn(t, World{Kind: Free, Plain: true, Seed: 7, Side: 8}), 4000)
	if len(free.pairs) != 36 || len(free.bags) < 600 || len(free.assigned) < len(free.bags)*5/4 {
		t.Errorf("the free world: %d pairs, %d bags, %d assignments", len(free.pairs), len(free.bags), len(free.assigned))
	}
	fixed := newSeen(drawn(t, World{Kind: Fixed, Plain: true, Seed: 7, Side: 8, Pairs: 0.6}), 4000)
	if len(fixed.pairs) != 27 || len(fixed.assigned) != 27 || len(fixed.ordered) != 54 {
		t.Errorf("the fixed world: %d pairs, %d assignments, %d orders", len(fixed.pairs), len(fixed.assigned), len(fixed.ordered))
	}
	hard := newSeen(drawn(t, World{Kind: Fixed, Plain: true, Seed: 7, Side: 8, Pairs: 0.6, Hard: 1}), 4000)
	if len(hard.pairs) != 27 || len(hard.assigned) != 54 || len(hard.ordered) != 108 || len(hard.all) != 3*54 {
		t.Errorf("with hard images: %d pairs, %d assignments, %d orders, %d arrangements", len(hard.pairs), len(hard.assigned), len(hard.ordered), len(hard.all))
	}
	singles := map[string]bool{}
	s := drawn(t, World{Kind: Fixed, Plain: true, Seed: 7, Side: 8, Pairs: 0.6})
	for i := range 4000 {
		if scene := s.TrainScene(i); len(scene.Objects) == 1 {
			singles[scene.describe(scene.Objects[0])] = true
		}
	}
	if len(singles) != len(Colours)*len(Shapes) {
		t.Errorf("%d shapes in a colour stand alone, of %d", len(singles), len(Colours)*len(Shapes))
	}
}

// TestPartsAreTrueOfTheirScenes sets true and false parts beside the captions of their scenes.
func TestPartsAreTrueOfTheirScenes(t *testing.T) {
	for _, plain := range []bool{true, false} {
		s := drawn(t, World{Kind: Free, Plain: plain, Seed: 7, Side: 8, Tests: 100})
		for i := range 100 {
			scene, _ := s.TestScene(TestWords, i)
			for _, test := range PartTests {
				text, changed := s.PartTexts(test, i)
				said, denied := scene.Caption(), scene.ColoursSwapped().Caption()
				if test == TestParts && (!strings.Contains(said, text) || !strings.Contains(denied, changed)) || text == changed {
					t.Errorf("%s of %q: %q, %q", test, said, text, changed)
				}
				last := func(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
				if test == TestBare && (!strings.Contains(said, last(text)) || strings.Contains(said, last(changed))) {
					t.Errorf("%s of %q: %q, %q", test, said, text, changed)
				}
			}
			text, changed := s.PartTexts(TestPlaces, i)
			words, other := strings.Fields(text), strings.Fields(changed)
			words[1], words[len(words)-1] = words[len(words)-1], words[1]
			words[0], words[len(words)-2] = words[len(words)-2], words[0]
			if !slices.Equal(words, other) {
				t.Errorf("places: %q, %q", text, changed)
			}
		}
	}
}
