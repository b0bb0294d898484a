package synth

import (
	"cmp"
	"math"
	"slices"
)

// The tests of a world. A scene of a test has something that is not trained on. Its false caption
// swaps one thing: which object has which colour, or which object is where.
const (
	TestTrained    = "trained"    // trained on; false: colours swapped
	TestAttributes = "attributes" // trained on with the colours swapped; false: colours swapped
	TestWords      = "words"      // a pair of shapes trained on in other colours only; false: colours swapped
	TestPairs      = "pairs"      // a pair of shapes that is not trained on; false: colours swapped
	TestOrders     = "orders"     // trained on with the places swapped; false: places swapped
	TestRelations  = "relations"  // as pairs; places
	TestRetrieval  = "retrieval"  // as words, each arrangement once, to find the image for a caption and the caption for an image
)

// Tests are the names of the tests whose scenes have a false caption.
var Tests = [...]string{TestTrained, TestAttributes, TestWords, TestPairs, TestOrders, TestRelations}

// heldoutOf: the free world holds back one in so many pairs of shapes, pairs of colours,
// assignments and orders.
const heldoutOf = 5

// arrangement is the shapes, colours and direction of two objects.
type arrangement struct {
	shapes, colours [2]int // of the first and of the second
	direction       Direction
}

// Scenes has the scenes of a world: the arrangements that are trained on, and those of each test.
type Scenes struct {
	World
	trained []arrangement
	tests   map[string][]arrangement
}

// pairRule says which arrangements of a pair of shapes are trained on.
type pairRule struct {
	trained, hard bool
	assigned      [2]int          // fixed world: the colours of the shape with the lower index and of the other
	first         [directions]int // the shape that comes first in each direction; -1 for either
}

// New returns the scenes of a world: all arrangements, divided among training and tests.
func New(w World) (*Scenes, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	s := &Scenes{World: w, tests: map[string][]arrangement{}}
	rules := w.drawRules()
	for a := range allArrangements(w.Plain) {
		swapped := a
		swapped.colours = [2]int{a.colours[1], a.colours[0]}
		turned := arrangement{[2]int{a.shapes[1], a.shapes[0]}, [2]int{a.colours[1], a.colours[0]}, a.direction}
		rule := rules[pairNumber(a.shapes)]
		var tests []string
		switch trains := func(a arrangement) bool { return w.isTrained(rule, a) }; {
		case trains(a):
			s.trained = append(s.trained, a)
			tests = []string{TestTrained}
		case !rule.trained:
			tests = []string{TestPairs, TestRelations}
		case rule.hard && rule.hasAssignedColours(a):
			// In no test: a pair with hard images is trained on with swaps.
		case trains(swapped):
			tests = []string{TestAttributes}
		case trains(turned):
			tests = []string{TestOrders}
		case rule.isOrdered(a) && !w.areColoursTrained(rule, a):
			tests = []string{TestWords, TestRetrieval}
		}
		for _, name := range tests {
			s.tests[name] = append(s.tests[name], a)
		}
	}
	w.shuffle(s.tests[TestRetrieval])
	return s, nil
}

// allArrangements yields all arrangements, always in the same order.
func allArrangements(plain bool) func(func(arrangement) bool) {
	ways := directions
	if plain {
		ways = Depth
	}
	return func(yield func(arrangement) bool) {
		for s := range len(Shapes) * len(Shapes) {
			for c := range len(Colours) * len(Colours) {
				for d := range ways {
					a := arrangement{[2]int{s / len(Shapes), s % len(Shapes)}, [2]int{c / len(Colours), c % len(Colours)}, d}
					if a.shapes[0] != a.shapes[1] && a.colours[0] != a.colours[1] && !yield(a) {
						return
					}
				}
			}
		}
	}
}

// pairNumber returns a number for a pair of shapes, whatever their order.
func pairNumber(shapes [2]int) int {
	return min(shapes[0], shapes[1])*len(Shapes) + max(shapes[0], shapes[1])
}

// drawRules draws the rule of each pair of shapes.
func (w World) drawRules() map[int]pairRule {
	rules := map[int]pairRule{}
	var order []int
	for s := range len(Shapes) {
		for t := s + 1; t < len(Shapes); t++ {
			pair := pairNumber([2]int{s, t})
			order = append(order, pair)
			n := w.randomStream("rule", pair)
			rule := pairRule{assigned: [2]int{n.IntN(len(Colours)), n.IntN(len(Colours) - 1)}}
			if rule.assigned[1] >= rule.assigned[0] {
				rule.assigned[1]++
			}
			for d := range rule.first {
				rule.first[d] = []int{s, t}[n.IntN(2)]
				if w.Kind == Free && n.IntN(heldoutOf) > 0 {
					rule.first[d] = -1 // either is
				}
			}
			rules[pair] = rule
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := w.randomStream("order of pairs", a), w.randomStream("order of pairs", b)
		return cmp.Or(cmp.Compare(x.Next(), y.Next()), cmp.Compare(a, b))
	})
	share, hard := 1-1./heldoutOf, 0.
	if w.Kind == Fixed {
		share, hard = w.Pairs, w.Hard
	}
	trained := int(math.Round(share * float64(len(order))))
	for i, pair := range order[:trained] {
		rule := rules[pair]
		rule.trained, rule.hard = true, i < int(math.Round(hard*float64(trained)))
		rules[pair] = rule
	}
	return rules
}

// isTrained reports whether an arrangement is trained on, given the rule of its shapes.
func (w World) isTrained(rule pairRule, a arrangement) bool {
	if !rule.trained {
		return false
	}
	if w.Kind == Free {
		return rule.isOrdered(a) && w.areColoursTrained(rule, a) && w.isAssignmentTrained(a)
	}
	colours := a.colours
	if a.shapes[0] > a.shapes[1] {
		colours = [2]int{colours[1], colours[0]}
	}
	ordered, assigned := rule.isOrdered(a), colours == rule.assigned
	return ordered && assigned || rule.hard && (ordered || assigned) && rule.hasAssignedColours(a)
}

// hasAssignedColours reports whether the colours of an arrangement are the two assigned to its shapes in
// the fixed world, in either order.
func (r pairRule) hasAssignedColours(a arrangement) bool {
	return a.colours == r.assigned || a.colours == [2]int{r.assigned[1], r.assigned[0]}
}

// isOrdered reports whether the shapes of an arrangement are in an order that is trained on.
func (r pairRule) isOrdered(a arrangement) bool {
	first := r.first[a.direction]
	return first < 0 || first == a.shapes[0]
}

// areColoursTrained reports whether the two shapes of an arrangement are trained on in its two
// colours, in either assignment.
func (w World) areColoursTrained(rule pairRule, a arrangement) bool {
	if w.Kind == Fixed {
		return rule.hasAssignedColours(a)
	}
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.randomStream("colours", pairNumber(a.shapes), c, d)
	return n.IntN(heldoutOf) > 0
}

// isAssignmentTrained reports whether the free world trains on the assignment of colours to shapes
// in an arrangement. It trains on at least one of the two assignments.
func (w World) isAssignmentTrained(a arrangement) bool {
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.randomStream("assignment", pairNumber(a.shapes), c, d)
	if n.IntN(heldoutOf) > 0 {
		return true
	}
	lesserHasLesser := (a.shapes[0] < a.shapes[1]) == (a.colours[0] < a.colours[1])
	return lesserHasLesser == (n.IntN(2) == 0)
}

// shuffle shuffles a list of arrangements by the seed.
func (w World) shuffle(list []arrangement) {
	n := w.randomStream("retrieval")
	for i := len(list) - 1; i > 0; i-- {
		k := n.IntN(i + 1)
		list[i], list[k] = list[k], list[i]
	}
}
