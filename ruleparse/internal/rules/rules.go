// Package rules mends an analysis and makes a scene graph of it: it says what the model cannot
// know from its data.
package rules

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// A rule says what the model cannot know from its data. It mends the analysis before the
// graph is built, or adds to the graph. Without it the graph of its example is another.
type rule struct {
	name, example string
	mend          func(x *Reading, ts []tokens.Token)
	add           func(b *building)
}

// rules are applied in this order.
var rules = [...]rule{
	{name: "verbs", example: "There is a group of sheep grazing on the grass in the field.", mend: (*Reading).verbs},
	{name: "divide", example: "Happy Crewneck Sweatshirt - Forest", mend: (*Reading).divide},
	{name: "clauses", example: "a woman bending over holding and kissing her cat", mend: (*Reading).clauses},
	{name: "reach", example: "A person kiteboarding over waves in the ocean.", mend: (*Reading).reach},
	{name: "adopt", example: "riding skis down a snow covered slope", mend: (*Reading).adopt},
	{name: "complete", example: "A person riding skis down a snow covered ski slope.", mend: (*Reading).complete},
	{name: "leap", example: "A dog in foreground of a field", mend: (*Reading).leap},
	{name: "part", example: "the green and yellow symbol behind the bird is the logo", mend: (*Reading).part},
	{name: "refer", example: "A woman riding a bike with a basket on it", mend: (*Reading).refer},
	{name: "settle", example: "many fruits in a basket on a black background", mend: (*Reading).settle},

	{name: "attributive", example: "you can buy this time capsule house for $665,000", add: (*building).attributive},
	{name: "quantify", example: "several boats on a lake", add: (*building).quantify},
	{name: "dress", example: "a girl in red", add: (*building).dress},
	{name: "reciprocate", example: "two men shaking hands with each other", add: (*building).reciprocate},
	{name: "front", example: "In the background, trees stand tall.", add: (*building).front},
	{name: "possess", example: "a man and his dog", add: (*building).possess},
}

// Reading is an analysis while rules mend it and a graph is made of it, with their memory,
// which is used again for the next.
type Reading struct {
	*analysis.Analysis
	added []analysis.Relation
	told  []bool  // by node
	at    []int32 // by node, as building has it
	built building
}

// Set is the rules, or some of them.
type Set struct {
	Lexicon *tokens.Lexicon
	without map[string]bool // names of rules that are left out, to measure them
}

// LeaveOut makes s all rules but those of these names.
func (s *Set) LeaveOut(names ...string) error {
	without := make(map[string]bool)
	for _, name := range names {
		if !slices.ContainsFunc(rules[:], func(r rule) bool { return r.name == name }) {
			return fmt.Errorf("no rule is called %q: the rules are %s", name, strings.Join(ruleNames(), ", "))
		}
		without[name] = true
	}
	s.without = without
	return nil
}

func ruleNames() []string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	return names
}

// Mend applies the rules that mend an analysis.
func (s *Set) Mend(x *Reading, ts []tokens.Token) {
	for i := range rules {
		if r := &rules[i]; r.mend != nil && !s.without[r.name] {
			r.mend(x, ts)
		}
	}
}

// add applies the rules that add to a graph.
func (b *building) add() {
	for i := range rules {
		if r := &rules[i]; r.add != nil && !b.rules.without[r.name] {
			r.add(b)
		}
	}
}

// include adds the relations of x.added.
func (x *Reading) include() {
	x.Edges = append(x.Edges, x.added...)
	x.order()
}

// order puts relations in the order of their second objects.
func (x *Reading) order() {
	slices.SortStableFunc(x.Edges, func(a, b analysis.Relation) int { return int(a.B - b.B) })
}

// edgesOf are the relations of which b is the second object.
func (x *Reading) edgesOf(b int) []analysis.Relation {
	from := x.edgesFrom(b)
	to := from
	for to < len(x.Edges) && int(x.Edges[to].B) == b {
		to++
	}
	return x.Edges[from:to]
}

// edgesFrom is where the relations of object b and those after it begin.
func (x *Reading) edgesFrom(b int) int {
	k, _ := slices.BinarySearchFunc(x.Edges, b, func(e analysis.Relation, b int) int { return int(e.B) - b })
	return k
}

// strip takes the words that are in an object out of predicates, and the
// predicates that say nothing without them.
func (x *Reading) strip(ts []tokens.Token) {
	edges := x.Edges[:0]
	for _, e := range x.Edges {
		c := &e.Candidate
		if c.Implied == 0 {
			n, says := uint8(0), false
			for _, w := range c.Words[:c.N] {
				if !x.InNode[w] {
					c.Words[n] = w
					n++
					says = says || states(&ts[w])
				}
			}
			if c.N = n; !says {
				continue
			}
		}
		edges = append(edges, e)
	}
	x.Edges = edges
}

// states reports whether a word of a predicate says something of two objects, as a
// noun or a name does not.
func states(t *tokens.Token) bool {
	if len(t.Low) == 1 || t.In(unspecific) {
		return false
	}
	return !penn.IsNoun(t.Tag) || t.Entry >= 0 && !t.Capital && (t.Flags&tokens.AnyVerb != 0 || t.Flags&tokens.AnyNoun == 0)
}

// Classes of words that rules go by: internal/lexicon/wordclass/words.tsv says what each is.
var (
	depictions    = wordclass.Of("depictions")
	moods         = wordclass.Of("moods")
	aboard        = wordclass.Of("aboard")
	agents        = wordclass.Of("agents")
	anybody       = wordclass.Of("anybody")
	backdrops     = wordclass.Of("backdrops")
	boilerplate   = wordclass.Of("boilerplate")
	colours       = wordclass.Of("colours")
	conjunctions  = wordclass.Of("conjunctions")
	dividers      = wordclass.Of("dividers")
	drawn         = wordclass.Of("drawn")
	dyed          = wordclass.Of("dyed")
	femaleNouns   = wordclass.Of("femaleNouns")
	heaps         = wordclass.Of("heaps")
	happenings    = wordclass.Of("happenings")
	lengths       = wordclass.Of("lengths")
	lively        = wordclass.Of("lively")
	maleNouns     = wordclass.Of("maleNouns")
	media         = wordclass.Of("media")
	neverFirst    = wordclass.Of("neverFirst")
	occasions     = wordclass.Of("occasions")
	parts         = wordclass.Of("parts")
	picturing     = wordclass.Of("picturing")
	partitives    = wordclass.Of("partitives")
	posed         = wordclass.Of("posed")
	portions      = wordclass.Of("portions")
	postureVerbs  = wordclass.Of("postureVerbs")
	pronouns      = wordclass.Of("pronouns")
	quantityNouns = wordclass.Of("quantityNouns")
	quantityWords = wordclass.Of("quantityWords")
	regards       = wordclass.Of("regards")
	regions       = wordclass.Of("regions")
	remarks       = wordclass.Of("remarks")
	resting       = wordclass.Of("resting")
	sets          = wordclass.Of("sets")
	shades        = wordclass.Of("shades")
	sides         = wordclass.Of("sides")
	spots         = wordclass.Of("spots")
	stockOf       = wordclass.Of("stockOf")
	times         = wordclass.Of("times")
	traits        = wordclass.Of("traits")
	unclassifying = wordclass.Of("unclassifying")
	units         = wordclass.Of("units")
	unqualifying  = wordclass.Of("unqualifying")
	unspecific    = wordclass.Of("unspecific")
	visible       = wordclass.Of("visible")
	ways          = wordclass.Of("ways")
	wearing       = wordclass.Of("wearing")
)
