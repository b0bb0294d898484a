package ruleparse

import (
	"fmt"
	"slices"
	"strings"
)

// A rule says what the model cannot know from its data. It mends the analysis before the
// graph is built, or adds to the graph. Without it the graph of its example is another.
type rule struct {
	name, example string
	mend          func(x *analysis, ts []span)
	add           func(b *building)
}

// rules are applied in this order.
var rules = [...]rule{
	{name: "verbs", example: "There is a group of sheep grazing on the grass in the field.", mend: (*analysis).verbs},
	{name: "divide", example: "Happy Crewneck Sweatshirt - Forest", mend: (*analysis).divide},
	{name: "disguised", example: "a long haired cat", mend: (*analysis).disguised},
	{name: "clauses", example: "a woman bending over holding and kissing her cat", mend: (*analysis).clauses},
	{name: "beside", example: "a black dog near sheets", mend: (*analysis).beside},
	{name: "reach", example: "A person kiteboarding over waves in the ocean.", mend: (*analysis).reach},
	{name: "adopt", example: "riding skis down a snow covered slope", mend: (*analysis).adopt},
	{name: "complete", example: "A person riding skis down a snow covered ski slope.", mend: (*analysis).complete},
	{name: "leap", example: "A dog in foreground of a field", mend: (*analysis).leap},
	{name: "part", example: "the green and yellow symbol behind the bird is the logo", mend: (*analysis).part},
	{name: "refer", example: "A woman riding a bike with a basket on it", mend: (*analysis).refer},
	{name: "settle", example: "many fruits in a basket on a black background", mend: (*analysis).settle},

	{name: "attributive", example: "you can buy this time capsule house for $665,000", add: (*building).attributive},
	{name: "quantify", example: "several birds on a wire", add: (*building).quantify},
	{name: "dress", example: "a woman in blue", add: (*building).dress},
	{name: "intransitive", example: "a man in a suit is cooking", add: (*building).intransitive},
	{name: "reciprocate", example: "two boats side by side", add: (*building).reciprocate},
	{name: "possess", example: "a man and his dog", add: (*building).possess},
}

// LeaveOut makes p do without the rules of these names, to measure what they are worth.
// It is not to be called while p parses.
func (p *Parser) LeaveOut(names ...string) error {
	without := make(map[string]bool)
	for _, name := range names {
		if !slices.ContainsFunc(rules[:], func(r rule) bool { return r.name == name }) {
			return fmt.Errorf("no rule is called %q: the rules are %s", name, strings.Join(ruleNames(), ", "))
		}
		without[name] = true
	}
	p.without = without
	return nil
}

func ruleNames() []string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	return names
}

// mend applies the rules that mend an analysis.
func (p *Parser) mend(x *analysis, ts []span) {
	for i := range rules {
		if r := &rules[i]; r.mend != nil && !p.without[r.name] {
			r.mend(x, ts)
		}
	}
}

// add applies the rules that add to a graph.
func (b *building) add() {
	for i := range rules {
		if r := &rules[i]; r.add != nil && !b.parser.without[r.name] {
			r.add(b)
		}
	}
}

// orderLinks puts links in the order of their attributes.
func (x *analysis) orderLinks() {
	slices.SortStableFunc(x.links, func(k, l link) int { return int(k.attribute - l.attribute) })
}

// include adds the relations of x.added.
func (x *analysis) include() {
	x.edges = append(x.edges, x.added...)
	x.order()
}

// order puts relations in the order of their second objects.
func (x *analysis) order() {
	slices.SortStableFunc(x.edges, func(a, b relation) int { return int(a.b - b.b) })
}

// edgesOf are the relations of which b is the second object.
func (x *analysis) edgesOf(b int) []relation {
	from := x.edgesFrom(b)
	to := from
	for to < len(x.edges) && int(x.edges[to].b) == b {
		to++
	}
	return x.edges[from:to]
}

// edgesFrom is where the relations of object b and those after it begin.
func (x *analysis) edgesFrom(b int) int {
	k, _ := slices.BinarySearchFunc(x.edges, b, func(e relation, b int) int { return int(e.b) - b })
	return k
}
