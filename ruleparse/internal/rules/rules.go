// Package rules corrects the analysis of a text and builds a scene graph from it. The model was
// trained on annotated captions; the rules cover what those do not show.
//
// Set.Correct applies the rules that change an analysis. Set.Build then makes the graph and applies
// the rules that add to it. Each rule has an example whose graph would differ without the rule:
// TestEveryRuleChangesItsExample.
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

// A rule corrects the analysis before the graph is built, or adds to the graph.
type rule struct {
	name, example string
	correct       func(x *Reading, ts []tokens.Token)
	add           func(b *graphBuilder)
}

// allRules are the rules in the order of their application.
var allRules = [...]rule{
	{name: "retag_verbs", example: "There is a group of sheep grazing on the grass in the field.", correct: (*Reading).retagVerbs},
	{name: "find_written", example: `A red sign says "STOP" next to a white truck.`, correct: (*Reading).findWritten},
	{name: "limit_to_clause", example: "a woman bending over holding and kissing her cat", correct: (*Reading).limitToClause},
	{name: "drop_preceding_objects", example: "A person kiteboarding over waves in the ocean.", correct: (*Reading).dropPrecedingObjects},
	{name: "attach_lone_objects", example: "riding skis down a snow covered slope", correct: (*Reading).attachLoneObjects},
	{name: "complete_verbs", example: "A person riding skis down a snow covered ski slope.", correct: (*Reading).completeVerbs},
	{name: "extend_predicates", example: "A dog in foreground of a field", correct: (*Reading).extendPredicates},
	{name: "relate_clauses", example: "a mug of tea and a muffin", correct: (*Reading).relateClauses},
	{name: "split_shared_predicates", example: "the green and yellow symbol behind the bird is the logo", correct: (*Reading).splitSharedPredicates},
	{name: "resolve_pronouns", example: "A woman riding a bike with a basket on it", correct: (*Reading).resolvePronouns},
	{name: "relate_fronted_places", example: "In the background, trees stand tall.", correct: (*Reading).relateFrontedPlaces},
	{name: "find_parallels", example: "a man with a hat and a woman with an umbrella", correct: (*Reading).findParallelPhrases},
	{name: "pass_over_possessors", example: "Two children sit atop their parent's luggage in the parking lot.", correct: (*Reading).passOverPossessors},
	{name: "move_settings_to_head", example: "many fruits in a basket on a black background", correct: (*Reading).moveSettingsToHead},

	{name: "inherit_relations", example: "a photo of a man with a hat and a woman with a bag", add: (*graphBuilder).inheritRelations},
	{name: "add_quantities", example: "several boats on a lake", add: (*graphBuilder).addQuantities},
	{name: "add_written", example: `A red sign says "STOP" next to a white truck.`, add: (*graphBuilder).addWritten},
	{name: "add_worn_colours", example: "a man wearing blue", add: (*graphBuilder).addWornColours},
	{name: "add_reciprocals", example: "two men shaking hands with each other", add: (*graphBuilder).addReciprocals},
	{name: "add_possession", example: "a man and his dog", add: (*graphBuilder).addPossession},
	{name: "correct_subjects", example: "two women, one in a red coat and the other in a blue dress", add: (*graphBuilder).correctSubjects},
	{name: "mark_unseen", example: "a glass holds a yellow liquid, possibly lemonade", add: (*graphBuilder).markUnseen},
	{name: "mark_unasserted", example: "a man who is not wearing a hat", add: (*graphBuilder).markUnasserted},
}

// Reading is an analysis together with the results of rules, from which a graph is built. Its
// memory is reused for the next text.
type Reading struct {
	*analysis.Analysis
	added       []analysis.Relation
	parallels   []parallel
	written     []written
	isRelated   []bool    // by node: whether it has a relation
	objectOf    []int32   // by node: see graphBuilder
	sure        []float32 // by node: probability that its object is right, if an earlier node named it; 0 for an attribute that is an opinion
	possessives []possessive
	builder     graphBuilder
	rater       rater
}

// Set is a set of rules, with their tables and weights.
type Set struct {
	Lexicon *tokens.Lexicon
	nouns   nounTables
	weights *PartWeights
	without map[string]bool // names of rules that are left out, to measure their effect
}

// NewSet returns all rules, with the embedded tables and the weights of confidences.
func NewSet(lexicon *tokens.Lexicon) (Set, error) {
	w, err := ReadPartWeights(ownPartWeights)
	if err != nil {
		return Set{}, err
	}
	nouns, err := readNounTables(personsFile, kindsFile)
	return Set{Lexicon: lexicon, nouns: nouns, weights: w}, err
}

// LeaveOut makes s apply all rules but those named.
func (s *Set) LeaveOut(names ...string) error {
	without := make(map[string]bool)
	for _, name := range names {
		if !slices.ContainsFunc(allRules[:], func(r rule) bool { return r.name == name }) {
			return fmt.Errorf("no rule is called %q: the rules are %s", name, strings.Join(ruleNames(), ", "))
		}
		without[name] = true
	}
	s.without = without
	return nil
}

func ruleNames() []string {
	names := make([]string, len(allRules))
	for i := range allRules {
		names[i] = allRules[i].name
	}
	return names
}

// Correct applies the rules that change an analysis.
func (s *Set) Correct(x *Reading, ts []tokens.Token) {
	x.parallels, x.written = x.parallels[:0], x.written[:0]
	for i := range allRules {
		if r := &allRules[i]; r.correct != nil && !s.without[r.name] {
			r.correct(x, ts)
		}
	}
}

// applyAdditions applies the rules that add to a graph.
func (b *graphBuilder) applyAdditions() {
	for i := range allRules {
		if r := &allRules[i]; r.add != nil && !b.rules.without[r.name] {
			r.add(b)
		}
	}
}

// mergeAddedEdges adds the relations of x.added to the edges.
func (x *Reading) mergeAddedEdges() {
	x.Edges = append(x.Edges, x.added...)
	x.sortEdges()
}

// sortEdges sorts the edges by their second objects.
func (x *Reading) sortEdges() {
	slices.SortStableFunc(x.Edges, func(a, b analysis.Relation) int { return int(a.B - b.B) })
}

// edgesInto returns the edges whose second object is b.
func (x *Reading) edgesInto(b int) []analysis.Relation {
	from := x.firstEdgeInto(b)
	to := from
	for to < len(x.Edges) && int(x.Edges[to].B) == b {
		to++
	}
	return x.Edges[from:to]
}

// firstEdgeInto returns the index of the first edge whose second object is b or a later one.
func (x *Reading) firstEdgeInto(b int) int {
	k, _ := slices.BinarySearchFunc(x.Edges, b, func(e analysis.Relation, b int) int { return int(e.B) - b })
	return k
}

// stripObjectWords removes words that belong to objects from predicates. It removes edges whose
// predicates have no other words.
func (x *Reading) stripObjectWords(ts []tokens.Token) {
	edges := x.Edges[:0]
	for _, e := range x.Edges {
		c := &e.Candidate
		if c.Implied == 0 {
			n, says := uint8(0), false
			for _, w := range c.Words[:c.N] {
				if !x.InNode[w] {
					c.Words[n] = w
					n++
					says = says || isPredicative(&ts[w])
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

// isPredicative reports whether a word of a predicate can relate two objects. A noun or a name
// cannot.
func isPredicative(t *tokens.Token) bool {
	if len(t.Low) == 1 || t.IsOneOf(unspecific) {
		return false
	}
	return !penn.IsNoun(t.Tag) || t.Entry >= 0 && !t.Capital && (t.Flags&tokens.AnyVerb != 0 || t.Flags&tokens.AnyNoun == 0)
}

// Word classes that rules use. internal/lexicon/wordclass/words.tsv describes each.
var (
	depictions    = wordclass.Words("depictions")
	moods         = wordclass.Words("moods")
	aboard        = wordclass.Words("aboard")
	agents        = wordclass.Words("agents")
	backdrops     = wordclass.Words("backdrops")
	boilerplate   = wordclass.Words("boilerplate")
	colours       = wordclass.Words("colours")
	conjunctions  = wordclass.Words("conjunctions")
	dividers      = wordclass.Words("dividers")
	drawn         = wordclass.Words("drawn")
	dyed          = wordclass.Words("dyed")
	femaleNouns   = wordclass.Words("femaleNouns")
	heaps         = wordclass.Words("heaps")
	furnishings   = wordclass.Words("furnishings")
	happenings    = wordclass.Words("happenings")
	hues          = wordclass.Words("hues")
	lengths       = wordclass.Words("lengths")
	likenesses    = wordclass.Words("likenesses")
	lively        = wordclass.Words("lively")
	maleNouns     = wordclass.Words("maleNouns")
	media         = wordclass.Words("media")
	occasions     = wordclass.Words("occasions")
	otherFood     = wordclass.Words("otherFood")
	parts         = wordclass.Words("parts")
	personGroups  = wordclass.Words("personGroups")
	picturing     = wordclass.Words("picturing")
	partitives    = wordclass.Words("partitives")
	posed         = wordclass.Words("posed")
	plates        = wordclass.Words("plates")
	portions      = wordclass.Words("portions")
	postureVerbs  = wordclass.Words("postureVerbs")
	prospects     = wordclass.Words("prospects")
	pretending    = wordclass.Words("pretending")
	pronouns      = wordclass.Words("pronouns")
	quantityNouns = wordclass.Words("quantityNouns")
	quantityWords = wordclass.Words("quantityWords")
	regards       = wordclass.Words("regards")
	regions       = wordclass.Words("regions")
	remarks       = wordclass.Words("remarks")
	resting       = wordclass.Words("resting")
	restraints    = wordclass.Words("restraints")
	sets          = wordclass.Words("sets")
	shades        = wordclass.Words("shades")
	sides         = wordclass.Words("sides")
	solids        = wordclass.Words("solids")
	spots         = wordclass.Words("spots")
	stockOf       = wordclass.Words("stockOf")
	surroundings  = wordclass.Words("surroundings")
	times         = wordclass.Words("times")
	traits        = wordclass.Words("traits")
	unasserting   = wordclass.Words("unasserting")
	units         = wordclass.Words("units")
	unqualifying  = wordclass.Words("unqualifying")
	unspecific    = wordclass.Words("unspecific")
	vessels       = wordclass.Words("vessels")
	visible       = wordclass.Words("visible")
	warnings      = wordclass.Words("warnings")
	ways          = wordclass.Words("ways")
	wearing       = wordclass.Words("wearing")
)
