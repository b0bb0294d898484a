package train

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/factual"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
	"capgraph/schemas"
)

const rewriteBits, rewriteEpochs = 16, 8

// replacements counts, for each string, the strings that annotators wrote in its place.
type replacements map[string]map[string]int

func (t replacements) addCount(from, to string) {
	if t[from] == nil {
		t[from] = map[string]int{}
	}
	t[from][to]++
}

// rankedReplacements returns the replacements of from, the most frequent first.
func (t replacements) rankedReplacements(from string) []string {
	keys := slices.Collect(maps.Keys(t[from]))
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(t[from][b], t[from][a]), cmp.Compare(a, b))
	})
	return keys
}

// formatFrequent returns a line for each string that one replacement has in most cases, at least
// least times.
func (t replacements) formatFrequent(kind string, least int) string {
	var b strings.Builder
	for _, from := range slices.Sorted(maps.Keys(t)) {
		to := t.rankedReplacements(from)[0]
		n := 0
		for _, c := range t[from] {
			n += c
		}
		if to != from && t[from][to] >= least && 2*t[from][to] > n {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", kind, from, to)
		}
	}
	return b.String()
}

// trainRewriter trains FACTUAL's conventions on gold graphs: it compares them with the graphs that
// the parser builds from gold analyses.
func (t *trainer) trainRewriter(xs []*examples.Example) []byte {
	names, attributes, quantities := replacements{}, replacements{}, replacements{}
	predicates := replacements{}
	type seen struct {
		g    *schemas.SceneGraph
		e    int
		gold factual.Rewriting
	}
	var all []seen
	for _, x := range xs {
		a := &rules.Reading{Analysis: x.Analysis()}
		prependVerbs(a.Analysis, x.Tokens)
		g := new(schemas.SceneGraph)
		t.rules.Build(x.Caption, x.LowerCaption(), x.Tokens, a, g)
		for i, n := range x.Nodes {
			k := slices.IndexFunc(g.Objects, func(o schemas.Object) bool {
				return o.Begin == x.Tokens[n.From].Begin && o.End == x.Tokens[n.To-1].End
			})
			if n.IsAttribute || k < 0 {
				continue
			}
			names.addCount(g.Objects[k].Name, x.Names[i])
			if q := g.Objects[k].Quantity; q != "" && !x.HasQuantity(i) {
				quantities.addCount(q, "")
			}
		}
		for _, l := range x.Links {
			var o schemas.Object
			t.rules.AddAttribute(x.LowerCaption(), x.Tokens, a, analysis.Link{Attribute: int32(l[0]), Object: int32(l[1])}, &o)
			if o.Quantity != "" {
				quantities.addCount(o.Quantity, x.Names[l[0]])
			} else if len(o.Attributes) > 0 {
				attributes.addCount(o.Attributes[0].Text, x.Names[l[0]])
			}
		}
		if len(g.Relations) != len(x.Edges) {
			continue // the parser's graph has other relations
		}
		for i, e := range x.Edges {
			r := factual.Rewriting{Text: e.Triple.Predicate, Reversed: e.Reversed}
			all = append(all, seen{g, i, r})
			predicates.addCount(factual.DropArticles(g.Relations[i].Lemma), r.Key())
		}
	}
	text := names.formatFrequent("n", 1) + attributes.formatFrequent("a", 2) + quantities.formatFrequent("q", 1)
	words := replacements{}
	for _, x := range xs {
		for _, g := range x.Gold {
			for w := range strings.FieldsSeq(g.Subject + " " + g.Object) {
				words.addCount("", w)
			}
		}
	}
	for _, w := range words.rankedReplacements("") {
		if words[""][w] >= 15 && len(w) >= 4 {
			text += "v\t" + w + "\t\n"
		}
	}
	options := map[string][]factual.Rewriting{}
	var b strings.Builder
	for _, lemma := range slices.Sorted(maps.Keys(predicates)) {
		for _, key := range predicates.rankedReplacements(lemma) {
			if predicates[lemma][key] < 2 || len(options[lemma]) == 8 {
				break
			}
			r := factual.Rewriting{Text: key[1:], Reversed: key[0] == 't'}
			options[lemma] = append(options[lemma], r)
		}
		if o := options[lemma]; len(o) == 1 && o[0] == (factual.Rewriting{Text: lemma}) && !strings.HasSuffix(lemma, " by") {
			delete(options, lemma)
		}
		for _, r := range options[lemma] {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", r.Key()[:1], lemma, r.Text)
		}
	}
	text += b.String()
	m := newLearner(rewriteBits, 1, 0.05)
	rnd := portable.SplitMix64(4)
	var score [8]float32
	for epoch := range rewriteEpochs {
		for _, k := range permutation(&rnd, len(all)) {
			s := &all[k]
			o := options[factual.DropArticles(s.g.Relations[s.e].Lemma)]
			gold := slices.Index(o, s.gold)
			if len(o) < 2 || gold < 0 {
				continue
			}
			var lists [][]uint32
			for _, r := range o {
				lists = append(lists, dropFeatures(&rnd, factual.AppendRewriteFeatures(t.reader.Lexicon, s.g, s.e, r, nil), 0.4, nil))
			}
			m.learnChoice(lists, gold, score[:])
		}
		if epoch >= rewriteEpochs/2 {
			m.addToAverage()
		}
	}
	m.useAverage()
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	return appendWeights(append(out, text...), m.w, 1)
}

// prependVerbs adds the verb before a predicate that begins with a noun to the predicate: "doing
// tricks on" a board, not just "tricks on".
func prependVerbs(x *analysis.Analysis, ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if c.Implied != 0 || c.Position != analysis.Between || c.N == analysis.MaxPredicate || !penn.IsNoun(ts[c.Words[0]].Tag) {
			continue
		}
		if verb := c.Words[0] - 1; verb >= x.Nodes[e.A].To && penn.IsVerb(ts[verb].Tag) && !ts[verb].IsBe && !x.InNode[verb] {
			copy(c.Words[1:], c.Words[:c.N])
			c.Words[0] = verb
			c.N++
		}
	}
}
