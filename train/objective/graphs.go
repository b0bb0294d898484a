package objective

import (
	"capgraph/scenegraph"
	"capgraph/train/loader"
	"capgraph/train/model"
)

// Graphs are the scene graphs of a batch, of distinct nodes and predicates.
type Graphs struct {
	// Nodes and Predicates are rows of the batch's texts, each once.
	Nodes, Predicates []int32
	// Own is the graph of each image's caption. Altered are those that its image is
	// compared with besides: none, or its own graph again and then one or two in which a
	// relation is another.
	Own     []model.Graph
	Altered [][]model.Graph

	nodes, predicates map[int32]int32
}

// layGraphs puts the graphs of the first N images into the batch; altered ones too,
// where they are wanted.
func (b *Batch) layGraphs(altered bool) {
	g := &Graphs{nodes: map[int32]int32{}, predicates: map[int32]int32{}}
	b.Graphs = g
	for _, s := range b.Images[:b.N] {
		own := g.graph(b, &s.Graph)
		var others []model.Graph
		if altered {
			others = g.alter(own, s)
		}
		g.Own, g.Altered = append(g.Own, own), append(g.Altered, others)
	}
}

// graph is a graph of the words of a batch.
func (g *Graphs) graph(b *Batch, said *scenegraph.WordGraph) model.Graph {
	var own model.Graph
	for _, node := range said.Nodes {
		own.Nodes = append(own.Nodes, distinct(&g.Nodes, g.nodes, b.place(node)))
	}
	for _, r := range said.Relations {
		predicate := distinct(&g.Predicates, g.predicates, b.place(r.Predicate))
		own.Edges = append(own.Edges, model.Edge{Predicate: predicate, Subject: int32(r.Subject), Object: int32(r.Object)})
	}
	return own
}

// distinct is the place of a row among rows that are there once.
func distinct(rows *[]int32, places map[int32]int32, row int32) int32 {
	at, ok := places[row]
	if !ok {
		at = int32(len(*rows))
		places[row] = at
		*rows = append(*rows, row)
	}
	return at
}

// alter is the graph itself, that with one relation turned round, and that in which
// other nodes have it (OC-CLIP §3.3); none where no relation can be altered.
func (g *Graphs) alter(own model.Graph, s *loader.Sample) []model.Graph {
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
