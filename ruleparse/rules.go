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
	{name: "verbs", example: "another man watches", mend: (*analysis).verbs},
	{name: "divide", example: "Thank You Card - Boxer", mend: (*analysis).divide},
	{name: "disguised", example: "a long haired cat", mend: (*analysis).disguised},
	{name: "release", example: "people in matching shirts", mend: (*analysis).release},
	{name: "govern", example: "a skateboarder doing tricks on a ramp", mend: (*analysis).govern},
	{name: "clauses", example: "a woman bending over holding and kissing her cat", mend: (*analysis).clauses},
	{name: "picture", example: "an image of a cat", mend: (*analysis).picture},
	{name: "shown", example: "a bronze statue of a lion", mend: (*analysis).shown},
	{name: "displayed", example: "a motorcycle on display at a museum", mend: (*analysis).displayed},
	{name: "cover", example: "a snow covered slope", mend: (*analysis).cover},
	{name: "wholeNames", example: "a flower delivery to the office", mend: (*analysis).wholeNames},
	{name: "overlooked", example: "Battle of Issus", mend: (*analysis).overlooked},
	{name: "beside", example: "a black dog near sheets", mend: (*analysis).beside},
	{name: "reach", example: "Pompadour Wine Glasses Made in France", mend: (*analysis).reach},
	{name: "adopt", example: "riding skis down a snow covered slope", mend: (*analysis).adopt},
	{name: "coordinate", example: "statues of military commander and person", mend: (*analysis).coordinate},
	{name: "complete", example: "a boy riding a skateboard down a ramp", mend: (*analysis).complete},
	{name: "nominal", example: "A surfer doing a sharp turn in the water", mend: (*analysis).nominal},
	{name: "leap", example: "A girl holding something in her hand", mend: (*analysis).leap},
	{name: "part", example: "the green and yellow symbol behind the bird is the logo", mend: (*analysis).part},
	{name: "refer", example: "A tower with a clock above it", mend: (*analysis).refer},
	{name: "settle", example: "A man rides a large wave on a surfboard", mend: (*analysis).settle},
	{name: "mutual", example: "two zebras standing next to each other in a field", mend: (*analysis).mutual},
	{name: "catalogued", example: "image may contain : person , playing a musical instrument , guitar and night", mend: (*analysis).catalogued},
	{name: "count", example: "two cake plates on a table", mend: (*analysis).count},

	{name: "attributive", example: "Toyota Park at night", add: (*building).attributive},
	{name: "hyphened", example: "a time - lapse video", add: (*building).hyphened},
	{name: "quantify", example: "A bunch of different bikes", add: (*building).quantify},
	{name: "dress", example: "a woman in blue", add: (*building).dress},
	{name: "intransitive", example: "a man in a suit is cooking", add: (*building).intransitive},
	{name: "reciprocate", example: "two zebras standing next to each other", add: (*building).reciprocate},
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
