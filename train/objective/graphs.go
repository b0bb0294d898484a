package objective

import (
	"capgraph/scenegraph"
	"capgraph/train/loader"
	"capgraph/train/model"
)

// Graphs are the scene graphs of a batch, with distinct nodes and predicates.
type Graphs struct {
	// Nodes and Predicates are the rows of the distinct nodes and predicates among the batch's
	// texts.
	Nodes, Predicates []int32
	// Own has the graph of each image's caption. Altered has the graphs of each image's relation
	// loss: none, or its own graph and one or two in which a relation is altered.
	Own     []model.Graph
	Altered [][]model.Graph

	nodes, predicates map[int32]int32
}

// addGraphs sets the batch's Graphs to those of the first N images, with altered ones if altered is
// true.
func (b *Batch) addGraphs(altered bool) {
	g := &Graphs{nodes: map[int32]int32{}, predicates: map[int32]int32{}}
	b.Graphs = g
	for _, s := range b.Images[:b.N] {
		own := g.newGraph(b, &s.Graph)
		var others []model.Graph
		if altered {
			others = g.alteredGraphs(own, s)
		}
		g.Own, g.Altered = append(g.Own, own), append(g.Altered, others)
	}
}

// newGraph returns a word graph as indices of Nodes and Predicates, to which it adds new words.
func (g *Graphs) newGraph(b *Batch, said *scenegraph.WordGraph) model.Graph {
	var own model.Graph
	for _, node := range said.Nodes {
		own.Nodes = append(own.Nodes, indexOf(&g.Nodes, g.nodes, b.textRow(node)))
	}
	for _, r := range said.Relations {
		predicate := indexOf(&g.Predicates, g.predicates, b.textRow(r.Predicate))
		own.Edges = append(own.Edges, model.Edge{Predicate: predicate, Subject: int32(r.Subject), Object: int32(r.Object)})
	}
	return own
}

// indexOf returns the index of row among the distinct rows, and appends it if it is new.
func indexOf(rows *[]int32, places map[int32]int32, row int32) int32 {
	at, ok := places[row]
	if !ok {
		at = int32(len(*rows))
		places[row] = at
		*rows = append(*rows, row)
	}
	return at
}

// alteredGraphs returns the graph own, one in which subject and object of a relation are exchanged,
// and one in which the relation is between other nodes (OC-CLIP §3.3). It returns none if no
// relation can be altered.
func (g *Graphs) alteredGraphs(own model.Graph, s *loader.Sample) []model.Graph {
	a := s.Altered
	if a.Relation < 0 {
		return nil
	}
	with := func(subject, object int32) model.Graph {
		edges := append([]model.Edge(nil), own.Edges...)
		edges[a.Relation].Subject, edges[a.Relation].Object = subject, object
		return model.Graph{Nodes: own.Nodes, Edges: edges}
	}
	e := own.Edges[a.Relation]
	all := []model.Graph{own, with(e.Object, e.Subject)}
	if a.Subject >= 0 {
		all = append(all, with(int32(a.Subject), int32(a.Object)))
	}
	return all
}
