package examples

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
)

// readFactual returns the captions and graphs in a CSV of FACTUAL with the columns image_id,
// region_id, caption and scene_graph.
func readFactual(path string) (captions []string, gold [][]scenegraph.Triple, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, r := range rows[1:] {
		if len(r) != 4 {
			return nil, nil, fmt.Errorf("%s: row %d has %d columns, want 4", path, i+2, len(r))
		}
		g, err := scenegraph.ParseTriples(r[3])
		if err != nil {
			continue
		}
		captions, gold = append(captions, r[2]), append(gold, g)
	}
	return captions, gold, nil
}

// annotatorSynonyms are words of captions for which annotators wrote another word.
var annotatorSynonyms = map[string][]string{
	"man": {"he", "him", "guy", "gentleman"}, "woman": {"she", "lady", "her"}, "person": {"guy", "someone", "somebody", "he", "she", "they", "i", "you", "people", "rider", "man", "one"},
	"people": {"they", "them", "guys", "persons", "folks"}, "men": {"guys"}, "wooden": {"wood"}, "persons": {"guys"},
	"2": {"two", "couple", "pair", "both"}, "3": {"three"}, "4": {"four"}, "5": {"five"}, "6": {"six"}, "7": {"seven"}, "8": {"eight"}, "9": {"nine"}, "10": {"ten"}, "12": {"twelve"},
	"1": {"one", "single"}, "gray": {"grey"}, "grey": {"gray"}, "tv": {"television"}, "motorcycle": {"motorbike"}, "image": {"picture"}, "picture": {"image", "photo"}, "woolen": {"wool"}, "kid": {"child"}, "child": {"kid"},
	"lots of": {"lot"}, "lot of": {"lot"},
}

// matchQuality returns how well a word of the annotators matches a token: 3 for the same word, 2
// for the same base form, 1 for a synonym or a typing error, 0 for no match.
func matchQuality(p *tokens.Lexicon, gold string, t *tokens.Token, fuzzy bool) int {
	if gold == t.Low {
		return 3
	}
	if t.Kind == tokens.Mark {
		return 0
	}
	for pos := range 2 {
		if p.BaseForm(gold, p.Find(gold, linear.Hash(gold)), pos) == p.BaseForm(t.Low, t.Entry, pos) {
			return 2
		}
	}
	if !fuzzy {
		return 0
	}
	if slices.Contains(annotatorSynonyms[gold], t.Low) {
		return 1
	}
	if len(gold) >= 4 && len(t.Low) >= 4 && editDistance(gold, t.Low) <= 1+min(len(gold), len(t.Low))/6 {
		return 1
	}
	return 0
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			c := diagonal
			if a[i] != b[j] {
				c++
			}
			diagonal = row[j+1]
			row[j+1] = min(c, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// occurrence is a place in the text, tokens [from, to), that names an annotators' object.
type occurrence struct{ from, to, quality int }

// findOccurrences returns the occurrences of name in ts that match best.
func findOccurrences(p *tokens.Lexicon, ts []tokens.Token, name string, free []bool, fuzzy bool) []occurrence {
	words := strings.Fields(name)
	var out []occurrence
	try := func(from, to, quality int) {
		for k := from; k < to; k++ {
			if !free[k] {
				return
			}
		}
		if len(out) > 0 && out[0].quality < quality {
			out = out[:0]
		}
		if len(out) == 0 || out[0].quality == quality {
			out = append(out, occurrence{from, to, quality})
		}
	}
	plain := strings.NewReplacer(" ", "", "-", "").Replace(name)
	for i := range ts {
		if i+len(words) <= len(ts) {
			q := 3
			for k, w := range words {
				q = min(q, matchQuality(p, w, &ts[i+k], fuzzy))
			}
			if q > 0 {
				try(i, i+len(words), q)
				continue
			}
		}
		joined := ""
		for j := i; j < len(ts) && j < i+4 && len(joined) < len(plain); j++ {
			joined += strings.ReplaceAll(ts[j].Low, "-", "")
			if joined == plain {
				try(i, j+1, 2)
			}
		}
	}
	return out
}

// AlignAll returns examples: each caption with its gold graph aligned to the caption's tokens.
func (s *Source) AlignAll(captions []string, gold [][]scenegraph.Triple) []*Example {
	xs := make([]*Example, len(captions))
	for i := range captions {
		xs[i] = s.alignGraph(captions[i], gold[i])
	}
	return xs
}

// alignGraph returns a caption with its gold graph aligned to the caption's tokens.
func (s *Source) alignGraph(caption string, gold []scenegraph.Triple) *Example {
	x := &Example{Caption: caption, Gold: gold, IsComplete: true}
	var w tokens.Text
	s.Reader.Read(&w, caption)
	x.Tokens = w.Tokens
	ts := x.Tokens
	x.InNode = make([]bool, len(ts))
	free := make([]bool, len(ts))
	for i := range free {
		free[i] = true
	}
	var names []string
	for _, t := range gold {
		for k, n := range [...]string{t.Subject, t.Object} {
			if (k == 0 || t.Predicate != "is" && n != "") && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(len(strings.Fields(b)), len(strings.Fields(a)))
	})
	take := func(o occurrence, name string, attribute bool) {
		for k := o.from; k < o.to; k++ {
			free[k], x.InNode[k] = false, true
		}
		x.Nodes = append(x.Nodes, analysis.NewNode(ts, o.from, o.to, attribute))
		x.Names = append(x.Names, name)
	}
	missing := names[:0:0]
	for _, fuzzy := range [...]bool{false, true} {
		for _, n := range names {
			found := findOccurrences(s.Reader.Lexicon, ts, n, free, fuzzy)
			for _, o := range found {
				take(o, n, false)
			}
			if len(found) == 0 {
				missing = append(missing, n)
			}
		}
		names, missing = missing, nil
	}
	if len(names) > 0 {
		x.IsComplete = false
	}
	x.alignAttributes(s.Reader.Lexicon, free)
	x.sortNodes()
	x.alignRelations()
	return x
}

// alignAttributes finds the attributes of the gold graph in the text, each as near to its object as
// possible.
func (x *Example) alignAttributes(l *tokens.Lexicon, free []bool) {
	for _, t := range x.Gold {
		if t.Predicate != "is" {
			continue
		}
		best, from, to, owner := 1<<30, 0, 0, -1
		spans := x.Tokens
		was := -1 // index of an attribute node that exists already
		for o, n := range x.Nodes {
			if n.IsAttribute || x.Names[o] != t.Subject {
				continue
			}
			for _, a := range findOccurrences(l, spans, t.Object, free, true) {
				d := int(n.From) - a.to
				if d < 0 {
					d = 2 * (a.from - int(n.To)) // attributes mostly precede their object
				}
				if d >= 0 && d < best {
					best, from, to, owner, was = d, a.from, a.to, o, -1
				}
			}
			for k, a := range x.Nodes {
				if a.IsAttribute && x.Names[k] == t.Object {
					d := max(int(n.From-a.To), 2*int(a.From-n.To))
					if d < best {
						best, owner, was = d, o, k
					}
				}
			}
		}
		if owner < 0 {
			x.IsComplete = false
			continue
		}
		if was < 0 {
			for k := from; k < to; k++ {
				free[k], x.InNode[k] = false, true
			}
			x.Nodes = append(x.Nodes, analysis.NewNode(x.Tokens, from, to, true))
			x.Names = append(x.Names, t.Object)
			was = len(x.Nodes) - 1
		}
		x.Links = append(x.Links, [2]int{was, owner})
	}
}

// alignRelations finds for each relation of the gold graph the two nodes and the candidate that
// state it.
func (x *Example) alignRelations() {
	var buf []analysis.Candidate
	taken := map[[2]int]bool{}
	for _, t := range x.Gold {
		if t.Predicate == "" || t.Predicate == "is" {
			continue
		}
		best := 1 << 30
		var e Edge
		for s := range x.Nodes {
			for o := range x.Nodes {
				if s == o || x.Nodes[s].IsAttribute || x.Nodes[o].IsAttribute || x.Names[s] != t.Subject || x.Names[o] != t.Object {
					continue
				}
				a, b := min(s, o), max(s, o)
				if taken[[2]int{a, b}] || !analysis.MayBeRelated(x.Tokens, x.Nodes, a, b) {
					continue
				}
				buf = analysis.AppendCandidates(x.Tokens, x.InNode, x.Nodes, a, b, buf[:0])
				c, rank := findCandidate(x.Tokens, buf, s > o, t.Predicate)
				if rank < 0 {
					continue
				}
				if cost := rank*100 + int(x.Nodes[b].From-x.Nodes[a].To); cost < best {
					best = cost
					e = Edge{A: a, B: b, Candidate: c, Triple: t, Reversed: c.Reversed != (s > o)}
				}
			}
		}
		if best == 1<<30 {
			x.IsComplete = false
			continue
		}
		taken[[2]int{e.A, e.B}] = true
		x.Edges = append(x.Edges, e)
	}
}

// findCandidate returns the candidate of cs that states predicate, and its rank: a lower rank is
// more certain, -1 means that there is none. reversed tells whether the gold graph's subject is the
// second object in the text.
func findCandidate(ts []tokens.Token, cs []analysis.Candidate, reversed bool, predicate string) (analysis.Candidate, int) {
	words := strings.Fields(predicate)
	var h uint32
	for _, w := range words {
		h = linear.Join(h, linear.Hash(w))
	}
	for where := range analysis.Nowhere {
		for _, c := range cs {
			if c.Position == uint8(where) && c.Hash == h && c.Reversed == reversed && !(reversed && where == analysis.Between && analysis.EndsInPreposition(ts, &c)) {
				return c, where
			}
		}
	}
	if reversed { // a passive: the gold graph's verb with an additional preposition
		first := linear.Hash(words[0])
		for _, c := range cs {
			if c.Position == analysis.Between && !c.Reversed && c.N >= 2 && ts[c.Words[0]].Lemma == first && analysis.EndsInPreposition(ts, &c) && c.N <= 3 {
				return c, 3
			}
		}
	}
	for _, c := range cs {
		if c.FillsGap && c.N <= 4 && c.Reversed == (reversed && !analysis.EndsInPreposition(ts, &c)) {
			return c, 4
		}
	}
	// the same first or last word
	first := linear.Hash(words[0])
	for _, c := range cs {
		if c.Implied == 0 && c.Reversed == reversed && ts[c.Words[0]].Lemma == first {
			return c, 5
		}
	}
	last := linear.Hash(words[len(words)-1])
	for _, c := range cs {
		if c.Implied == 0 && c.Reversed == reversed && c.Position == analysis.Between && ts[c.Words[c.N-1]].Lemma == last {
			return c, 6
		}
	}
	for _, c := range cs {
		if c.Implied != 0 && analysis.ImpliedPredicates[c.Implied-1] == predicate && c.Reversed == reversed {
			return c, 7
		}
	}
	return analysis.Candidate{}, -1
}
