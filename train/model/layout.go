package model

import "capgraph/kernels"

// Graph is a scene graph. Nodes are indices of distinct words, Edges are relations between two
// nodes.
type Graph struct {
	Nodes []int32
	Edges []Edge
}

// Edge is a relation of a graph. Predicate is an index of distinct predicates; Subject and Object
// are indices of the graph's Nodes.
type Edge struct{ Predicate, Subject, Object int32 }

// Layout has the graphs of a call of Model.Scores, as lists of row indices. The zero value has no
// graph.
type Layout struct {
	defaults, distinct int // number of default queries of each graph, and of distinct nodes

	queries, starts            []int32 // for each query of each graph, its row in Words.Queries; the first query of each graph
	nodes, words, nodeStarts   []int32 // for each node, its index among the queries, and its word; the first node of each graph
	subjects, objects          []int32 // for each relation, the indices of its nodes among all nodes
	predicates, relationStarts []int32
	byQuery, byNode, byWord    kernels.Grouper
	bySubject, byObject        kernels.Grouper
	byPredicate                [3]kernels.Grouper
	byNodeRow, byPredicateRow  kernels.Grouper
	graphs                     int
}

// Reset removes all graphs. The graphs that are added next have nodes below distinct, and the
// default queries of m.
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

// Truncate removes all graphs except the first n.
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
