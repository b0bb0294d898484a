// Package examples aligns annotated graphs with the tokens of their captions, for the trainer and
// the teacher.
package examples

import (
	"cmp"
	"slices"

	"capgraph/internal/annotated"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
)

// eachRun calls thing for each run of tokens that are in nodes, and other for each token that is in
// none, in the order of the text.
func (x *Example) eachRun(thing func(from, to int), other func(*tokens.Token)) {
	for i := 0; i < len(x.Tokens); {
		if !x.InNode[i] {
			other(&x.Tokens[i])
			i++
			continue
		}
		from := i
		for i < len(x.Tokens) && x.InNode[i] {
			i++
		}
		thing(from, i)
	}
}

// LowerCaption returns the caption in lower case with the same byte offsets.
func (x *Example) LowerCaption() string {
	s, _ := tokens.ToLower(x.Caption, nil)
	return s
}

// Analysis returns the gold graph as an analysis of the parser.
func (x *Example) Analysis() *analysis.Analysis {
	a := &analysis.Analysis{Nodes: x.Nodes, InNode: x.InNode}
	for _, l := range x.Links {
		a.Links = append(a.Links, analysis.Link{Attribute: int32(l[0]), Object: int32(l[1])})
	}
	for _, e := range x.Edges {
		a.Edges = append(a.Edges, analysis.Relation{A: int32(e.A), B: int32(e.B), Candidate: e.Candidate})
	}
	return a
}

// HasQuantity reports whether the gold graph has a quantity for node i.
func (x *Example) HasQuantity(i int) bool {
	for _, l := range x.Links {
		if n := &x.Nodes[l[0]]; l[1] == i && n.From < x.Nodes[i].From && rules.IsQuantity(x.Tokens, n.From, n.To) {
			return true
		}
	}
	return false
}

// Labels returns the gold labels of the tokens.
func (x *Example) Labels() []uint8 {
	l := make([]uint8, len(x.Tokens))
	for _, n := range x.Nodes {
		first := uint8(analysis.BeginObject)
		if n.IsAttribute {
			first = analysis.BeginAttribute
		}
		for i := n.From; i < n.To; i++ {
			l[i] = first + 1
		}
		l[n.From] = first
	}
	return l
}

// KnowsAllRelations reports whether all gold relations between node b and earlier nodes were found
// in the text.
func (x *Example) KnowsAllRelations(b int) bool {
	return x.IsComplete && (x.isIncomplete == nil || !x.isIncomplete[b])
}

// Example is a caption with its gold graph, the annotators' graph, aligned to the caption's tokens.
type Example struct {
	Caption      string
	Gold         []scenegraph.Triple
	Tokens       []tokens.Token
	Nodes        []analysis.Node
	Names        []string // by node: its name in the gold graph
	InNode       []bool   // by token
	Links        [][2]int // index of the attribute's node, index of the object's
	Edges        []Edge
	IsComplete   bool                           // whether all names and relations of the gold graph were found in the text
	isIncomplete []bool                         // by node: a relation to an earlier node was not found; nil if all were
	Annotated    *annotated.Row                 // nil if the gold graph is from FACTUAL
	SoftLabels   [][analysis.LabelCount]float32 // by token: a teacher's probability of each label; nil for annotators' examples
}

// Edge is a relation between nodes A and B, A before B in the text, with the candidate that states
// it and the triple of the gold graph.
type Edge struct {
	A, B      int
	Candidate analysis.Candidate
	Triple    scenegraph.Triple
	Reversed  bool // the gold graph's subject is B
}

// sortNodes sorts the nodes by their place in the text and returns the new index of each.
func (x *Example) sortNodes() []int {
	order := make([]int, len(x.Nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x.Nodes[a].From, x.Nodes[b].From) })
	place := make([]int, len(order))
	nodes, names := make([]analysis.Node, len(order)), make([]string, len(order))
	for to, from := range order {
		place[from] = to
		nodes[to], names[to] = x.Nodes[from], x.Names[from]
	}
	x.Nodes, x.Names = nodes, names
	for i := range x.Links {
		x.Links[i] = [2]int{place[x.Links[i][0]], place[x.Links[i][1]]}
	}
	slices.SortFunc(x.Links, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return place
}

// Candidates returns the candidates for relations of nodes a and b.
func (x *Example) Candidates(a, b int) []analysis.Candidate {
	return analysis.AppendCandidates(x.Tokens, x.InNode, x.Nodes, a, b, nil)
}
