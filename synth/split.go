package synth

import (
	"cmp"
	"math"
	"slices"
)

// The tests of a world. A scene of one lacks just one thing that is trained on,
// and its false caption changes just one thing: whose the colours are, or who
// stands where.
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

// heldoutOf is of how many pairs of shapes, colours, assignments and orders the
// free world holds one back.
const heldoutOf = 5

// arrangement is two objects and how they stand.
type arrangement struct {
	shapes, colours [2]int // of the first and of the second
	direction       Direction
}

// Scenes are those of a world: which arrangements are trained on, and which of
// the others each test has.
type Scenes struct {
	World
	trained []arrangement
	tests   map[string][]arrangement
}

// pairRule says what is trained on of a pair of shapes.
type pairRule struct {
	trained, hard bool
	assigned      [2]int          // fixed: the colours of the lesser shape and of the other
	first         [directions]int // the shape that is the first one; -1: either is
}

// New sorts all arrangements of a world.
func New(w World) (*Scenes, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	s := &Scenes{World: w, tests: map[string][]arrangement{}}
	rules := w.rules()
	for a := range arrangements(w.Plain) {
		swapped := a
		swapped.colours = [2]int{a.colours[1], a.colours[0]}
		turned := arrangement{[2]int{a.shapes[1], a.shapes[0]}, [2]int{a.colours[1], a.colours[0]}, a.direction}
		rule := rules[pairOf(a.shapes)]
		var tests []string
		switch trains := func(a arrangement) bool { return w.trains(rule, a) }; {
		case trains(a):
			s.trained = append(s.trained, a)
			tests = []string{TestTrained}
		case !rule.trained:
			tests = []string{TestPairs, TestRelations}
		case rule.hard && rule.assigns(a):
			// The swaps of a pair that has hard images are no news.
		case trains(swapped):
			tests = []string{TestAttributes}
		case trains(turned):
			tests = []string{TestOrders}
		case rule.ordered(a) && !w.trainsColours(rule, a):
			tests = []string{TestWords, TestRetrieval}
		}
		for _, name := range tests {
			s.tests[name] = append(s.tests[name], a)
		}
	}
	w.shuffle(s.tests[TestRetrieval])
	return s, nil
}

// arrangements are all that there are, in one order.
func arrangements(plain bool) func(func(arrangement) bool) {
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

// pairOf numbers a pair of shapes, whichever is the first.
func pairOf(shapes [2]int) int {
	return min(shapes[0], shapes[1])*len(Shapes) + max(shapes[0], shapes[1])
}

// rules draws what is trained on of each pair of shapes.
func (w World) rules() map[int]pairRule {
	rules := map[int]pairRule{}
	var order []int
	for s := range len(Shapes) {
		for t := s + 1; t < len(Shapes); t++ {
			pair := pairOf([2]int{s, t})
			order = append(order, pair)
			n := w.numbers("rule", pair)
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
		x, y := w.numbers("order of pairs", a), w.numbers("order of pairs", b)
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

// trains says whether an arrangement of a pair of shapes is trained on.
func (w World) trains(rule pairRule, a arrangement) bool {
	if !rule.trained {
		return false
	}
	if w.Kind == Free {
		return rule.ordered(a) && w.trainsColours(rule, a) && w.trainsAssignment(a)
	}
	colours := a.colours
	if a.shapes[0] > a.shapes[1] {
		colours = [2]int{colours[1], colours[0]}
	}
	ordered, assigned := rule.ordered(a), colours == rule.assigned
	return ordered && assigned || rule.hard && (ordered || assigned) && rule.assigns(a)
}

// assigns says whether the fixed world has a pair of shapes in two colours,
// whichever is whose.
func (r pairRule) assigns(a arrangement) bool {
	return a.colours == r.assigned || a.colours == [2]int{r.assigned[1], r.assigned[0]}
}

// ordered says whether a pair of shapes is trained on in an arrangement's order.
func (r pairRule) ordered(a arrangement) bool {
	first := r.first[a.direction]
	return first < 0 || first == a.shapes[0]
}

// trainsColours says whether a pair of shapes is trained on in two colours,
// whichever is whose.
func (w World) trainsColours(rule pairRule, a arrangement) bool {
	if w.Kind == Fixed {
		return rule.assigns(a)
	}
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.numbers("colours", pairOf(a.shapes), c, d)
	return n.IntN(heldoutOf) > 0
}

// trainsAssignment says whether the free world trains on an arrangement's
// colours as they are assigned. Of two assignments it does on one at least.
func (w World) trainsAssignment(a arrangement) bool {
	c, d := min(a.colours[0], a.colours[1]), max(a.colours[0], a.colours[1])
	n := w.numbers("assignment", pairOf(a.shapes), c, d)
	if n.IntN(heldoutOf) > 0 {
		return true
	}
	lesserHasLesser := (a.shapes[0] < a.shapes[1]) == (a.colours[0] < a.colours[1])
	return lesserHasLesser == (n.IntN(2) == 0)
}

// shuffle brings arrangements into an order of the seed.
func (w World) shuffle(list []arrangement) {
	n := w.numbers("retrieval")
	for i := len(list) - 1; i > 0; i-- {
		k := n.IntN(i + 1)
		list[i], list[k] = list[k], list[i]
	}
}
