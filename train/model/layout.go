package model

import "capgraph/kernels"

// Graph is a scene graph of distinct words: Nodes are indices of words, Edges are relations between
// two.
type Graph struct {
	Nodes []int32
	Edges []Edge
}

// Edge is a relation of a graph: Predicate is an index of the distinct predicates, Subject and
// Object are places in the graph's Nodes.
type Edge struct{ Predicate, Subject, Object int32 }

// Layout is the graphs of Scores, one after another. It keeps its memory; the zero value has no
// graph.
type Layout struct {
	defaults, distinct int // queries of each graph, and distinct nodes

	queries, starts            []int32 // the rows of shares that each graph's queries take
	nodes, words, nodeStarts   []int32 // the nodes among them, and their words
	subjects, objects          []int32 // of each relation: the places among all nodes
	predicates, relationStarts []int32
	byQuery, byNode, byWord    kernels.Grouper
	bySubject, byObject        kernels.Grouper
	byPredicate                [3]kernels.Grouper
	byNodeRow, byPredicateRow  kernels.Grouper
	graphs                     int
}

// Reset removes all graphs; the next ones are of distinct nodes of a model.
func (l *Layout) Reset(m *Model, distinct int) {
	l.defaults, l.distinct, l.graphs = m.binding.count, distinct, 0
	l.queries, l.starts = l.queries[:0], append(l.starts[:0], 0)
	l.nodes, l.words, l.nodeStarts = l.nodes[:0], l.words[:0], append(l.nodeStarts[:0], 0)
	l.subjects, l.objects = l.subjects[:0], l.objects[:0]
	l.predicates, l.relationStarts = l.predicates[:0], append(l.relationStarts[:0], 0)
}

// Add appends a graph.
func (l *Layout) Add(g *Graph) {
	first := int32(len(l.words))
	for _, word := range g.Nodes {
		l.nodes = append(l.nodes, int32(len(l.queries)))
		l.queries = append(l.queries, word)
		l.words = append(l.words, word)
	}
	for i := range l.defaults {
		l.queries = append(l.queries, int32(l.distinct+i))
	}
	for _, e := range g.Edges {
		l.subjects, l.objects = append(l.subjects, first+e.Subject), append(l.objects, first+e.Object)
		l.predicates = append(l.predicates, e.Predicate)
	}
	l.starts = append(l.starts, int32(len(l.queries)))
	l.nodeStarts = append(l.nodeStarts, int32(len(l.words)))
	l.relationStarts = append(l.relationStarts, int32(len(l.predicates)))
	l.graphs++
}

// Truncate keeps the first n graphs.
func (l *Layout) Truncate(n int) {
	l.graphs = n
	l.starts, l.nodeStarts, l.relationStarts = l.starts[:n+1], l.nodeStarts[:n+1], l.relationStarts[:n+1]
	l.queries = l.queries[:l.starts[n]]
	l.nodes, l.words = l.nodes[:l.nodeStarts[n]], l.words[:l.nodeStarts[n]]
	r := l.relationStarts[n]
	l.subjects, l.objects, l.predicates = l.subjects[:r], l.objects[:r], l.predicates[:r]
}

// Len returns the number of graphs.
func (l *Layout) Len() int { return l.graphs }
