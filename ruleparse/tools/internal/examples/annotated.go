package examples

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"capgraph/internal/annotated"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
)

// Files of annotated graphs, in the folder "written" of the data.
const (
	// FirstGraphs includes the development captions.
	FirstGraphs = "graphs.jsonl"
	// MoreGraphs has other captions, all for training.
	MoreGraphs = "graphs2.jsonl"
)

// ReadAnnotated returns the annotated graphs in a file, split into training and development examples.
func (s *Source) ReadAnnotated(file string) (train, development []*Example, err error) {
	path := filepath.Join(s.Data, "written", file)
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for row, err := range annotated.Read(f, path) {
		if err != nil {
			return nil, nil, err
		}
		if x := s.AlignAnnotated(&row); file == FirstGraphs && annotated.IsDevelopment(row.Text) {
			development = append(development, x)
		} else {
			train = append(train, x)
		}
	}
	return train, development, nil
}

// ReadHard returns the graphs in graphs.jsonl.gz, whose captions the parser was unsure of, without the development
// captions.
func (s *Source) ReadHard() ([]*Example, error) {
	rows, err := s.ReadPublished()
	var out []*Example
	for i := range rows {
		if !annotated.IsDevelopment(rows[i].Text) {
			out = append(out, s.AlignAnnotated(&rows[i]))
		}
	}
	return out, err
}

// AlignAnnotated returns an annotated graph aligned to the tokens of its caption.
func (s *Source) AlignAnnotated(g *annotated.Row) *Example {
	x := &Example{Caption: g.Text, Annotated: g, IsComplete: true}
	var w tokens.Text
	s.Reader.Read(&w, g.Text)
	x.Tokens, x.InNode = w.Tokens, make([]bool, len(w.Tokens))
	objects := make([]int, len(g.Objects)) // by object: the index of its node
	for i, o := range g.Objects {
		from, to := tokensIn(x.Tokens, o.Begin, o.End)
		for to-from > 1 && x.Tokens[to-1].Kind == tokens.Clitic {
			to-- // without the clitic: "Dak's"
		}
		objects[i] = x.addNode(from, to, false)
	}
	for i, o := range g.Objects {
		if objects[i] < 0 {
			continue
		}
		for _, a := range o.Attributes {
			from, to := tokensIn(x.Tokens, a.Begin, a.End)
			if k := x.addNode(from, to, true); k >= 0 {
				x.Links = append(x.Links, [2]int{k, objects[i]})
			}
		}
		if o.Quantity.Text != "" {
			if from, to := quantityTokens(x.Tokens, o.Quantity); from < to {
				if k := x.addNode(from, to, true); k >= 0 {
					x.Links = append(x.Links, [2]int{k, objects[i]})
				}
			}
		}
	}
	for i := range objects {
		if objects[i] < 0 {
			x.IsComplete = false
		}
	}
	place := x.sortNodes()
	for _, r := range g.Relations {
		if s, o := objects[r.Subject], objects[r.Object]; s >= 0 && o >= 0 && s != o {
			x.addRelation(place[s], place[o], &r)
		}
	}
	slices.SortStableFunc(x.Edges, func(a, b Edge) int { return cmp.Compare(a.B, b.B) })
	return x
}

// tokensIn returns the tokens that overlap the bytes [begin, end).
func tokensIn(ts []tokens.Token, begin, end int) (from, to int) {
	for from < len(ts) && int(ts[from].End) <= begin {
		from++
	}
	for to = from; to < len(ts) && int(ts[to].Begin) < end; to++ {
	}
	return from, to
}

// quantityTokens returns the tokens of a quantity that get a label: "two", or "group of" in "a large group of".
func quantityTokens(ts []tokens.Token, q annotated.Quantity) (from, to int) {
	from, to = tokensIn(ts, q.Begin, q.End)
	for n := 1; n <= 2 && to-n >= from; n++ {
		if rules.IsQuantity(ts, int32(to-n), int32(to)) {
			return to - n, to
		}
	}
	return to, to
}

// addNode adds a node of tokens [from, to) and returns its index. If there is an equal node, it returns that. If the
// tokens overlap another node, it returns -1.
func (x *Example) addNode(from, to int, attribute bool) int {
	if from >= to {
		return -1
	}
	for k, n := range x.Nodes {
		if int(n.From) == from && int(n.To) == to && n.IsAttribute == attribute {
			return k
		}
	}
	if slices.Contains(x.InNode[from:to], true) {
		return -1
	}
	for i := from; i < to; i++ {
		x.InNode[i] = true
	}
	x.Nodes = append(x.Nodes, analysis.NewNode(x.Tokens, from, to, attribute))
	x.Names = append(x.Names, strings.ToLower(x.Caption[x.Tokens[from].Begin:x.Tokens[to-1].End]))
	return len(x.Nodes) - 1
}

// addRelation adds an edge for relation r of nodes s and o, with the candidate that states it best.
func (x *Example) addRelation(s, o int, r *annotated.Relation) {
	a, b := min(s, o), max(s, o)
	if x.isIncomplete == nil {
		x.isIncomplete = make([]bool, len(x.Nodes))
	}
	for _, e := range x.Edges {
		if e.A == a && e.B == b {
			return // only one relation of each pair is learned
		}
	}
	if !analysis.MayBeRelated(x.Tokens, x.Nodes, a, b) {
		return
	}
	words := x.predicateWords(r)
	best, least := analysis.Candidate{}, 1<<30
	for _, c := range x.Candidates(a, b) {
		if c.Reversed != (s > o) {
			continue
		}
		if d := wordDifference(&c, words); d < least {
			best, least = c, d
		}
	}
	if least > 1 {
		x.isIncomplete[b] = true
		return
	}
	x.Edges = append(x.Edges, Edge{A: a, B: b, Candidate: best})
}

// predicateWords returns the tokens of r that can be in a predicate, or none if r is implied.
func (x *Example) predicateWords(r *annotated.Relation) []int32 {
	var out []int32
	for _, w := range r.Words {
		i, _ := tokensIn(x.Tokens, w, w+1)
		if i < len(x.Tokens) && !analysis.IsSilent(&x.Tokens[i]) && !slices.Contains(out, int32(i)) {
			out = append(out, int32(i))
		}
	}
	return out
}

// wordDifference returns the number of words that only one of c and words has. If words is empty, c must be "have" or
// without words.
func wordDifference(c *analysis.Candidate, words []int32) int {
	if c.Implied != 0 {
		if len(words) == 0 && analysis.ImpliedPredicates[c.Implied-1] == "have" {
			return 0
		}
		return 1 << 20
	}
	shared := 0
	for _, w := range c.Words[:c.N] {
		if slices.Contains(words, w) {
			shared++
		}
	}
	if shared == 0 {
		return 1 << 20
	}
	return int(c.N) + len(words) - 2*shared
}
