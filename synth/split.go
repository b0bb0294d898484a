package synth

import (
	"cmp"
	"math"
	"slices"
)

// The tests of a world. A scene of a test lacks one thing that is trained on. Its false caption
// changes one thing: which object has which colour, or which is where.
const (
	TestTrained    = "trained"    // trained on as it is; colours
	TestAttributes = "attributes" // trained on with the colours swapped; colours
	TestWords      = "words"      // a pair of shapes that was seen in other colours; colours
	TestPairs      = "pairs"      // a pair of shapes that was never seen; colours
	TestOrders     = "orders"     // trained on with the places swapped; places
	TestRelations  = "relations"  // as pairs; places
	TestRetrieval  = "retrieval"  // as words, each arrangement once: find the image, find the caption
)

// Tests are the names of the tests whose scenes have a false caption.
var Tests = [...]string{TestTrained, TestAttributes, TestWords, TestPairs, TestOrders, TestRelations}

// heldoutOf is of how many pairs of shapes, colours, assignments and orders the free world holds
// one back.
const heldoutOf = 5

// arrangement is two objects and their direction.
type arrangement struct {
	shapes, colours [2]int // of the first and of the second
	direction       Direction
}

// Scenes has the scenes of a world: the arrangements that are trained on, and the others that each
// test has.
type Scenes struct {
	World
	trained []arrangement
	tests   map[string][]arrangement
}

// pairRule says what is trained on of a pair of shapes.
type pairRule struct {
	trained, hard bool
	assigned      [2]int          // fixed: the colours of the lesser shape and of the other
	first         [directions]int // the shape that comes first; -1: either
}

// New sorts all arrangements of a world.
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
		case rule.hard && rule.hasColours(a):
			// The swaps of a pair that has hard images are no news.
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

// pairNumber numbers a pair of shapes, in either order.
func pairNumber(shapes [2]int) int {
	return min(shapes[0], shapes[1])*len(Shapes) + max(shapes[0], shapes[1])
}

// drawRules draws what is trained on of each pair of shapes.
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

// isTrained reports whether an arrangement of a pair of shapes is trained on.
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
	return ordered && assigned || rule.hard && (ordered || assigned) && rule.hasColours(a)
}

// hasColours reports whether the fixed world has a pair of shapes in two colours, in either
// assignment.
func (r pairRule) hasColours(a arrangement) bool {
	return a.colours == r.assigned || a.colours == [2]int{r.assigned[1], r.assigned[0]}
}

// isOrdered reports whether a pair of shapes is trained on in an arrangement's order.
func (r pairRule) isOrdered(a arrangement) bool {
	first := r.first[a.direction]
	return first < 0 || first == a.shapes[0]
}

// areColoursTrained reports whether a pair of shapes is trained on in two colours, in either
// assignment.
func (w World) areColoursTrained(rule pairRule, a arrangement) bool {
	if w.Kind == Fixed {
		return rule.hasColours(a)
	}
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.randomStream("colours", pairNumber(a.shapes), c, d)
	return n.IntN(heldoutOf) > 0
}

// isAssignmentTrained reports whether the free world trains on an arrangement's assignment of
// colours. It trains on at least one of two assignments.
func (w World) isAssignmentTrained(a arrangement) bool {
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.randomStream("assignment", pairNumber(a.shapes), c, d)
	if n.IntN(heldoutOf) > 0 {
		return true
	}
	lesserHasLesser := (a.shapes[0] < a.shapes[1]) == (a.colours[0] < a.colours[1])
	return lesserHasLesser == (n.IntN(2) == 0)
}

// shuffle orders arrangements by the seed.
func (w World) shuffle(list []arrangement) {
	n := w.randomStream("retrieval")
	for i := len(list) - 1; i > 0; i-- {
		k := n.IntN(i + 1)
		list[i], list[k] = list[k], list[i]
	}
}
