package scenegraph

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// WordGraph is a scene graph in words: a text for each node and each predicate, as OC-CLIP's text
// tower reads it (OC-CLIP §3). It has at least one node.
type WordGraph struct {
	// Nodes are noun phrases with their attributes, without article: "two red umbrellas", "woman in
	// blue". Two may be equal.
	Nodes     []string
	Relations []WordRelation
}

// WordRelation is a relation between two nodes; Subject and Object are their indices.
type WordRelation struct {
	Subject, Object int
	Predicate       string // "to the left of"
	// IsSymmetric means that the reverse is as true: "next to".
	IsSymmetric bool
}

// Bounds on a graph; no caption has more.
const (
	maxNodes     = 64
	maxRelations = 128
)

// NewWordGraph returns the graph of a text in words, in memory of its own. If it has no objects,
// its one node is the text.
func NewWordGraph(text string, g *schemas.SceneGraph) WordGraph {
	var s WordGraph
	for i := range g.Objects[:min(len(g.Objects), maxNodes)] {
		s.Nodes = append(s.Nodes, nodePhrase(&g.Objects[i]))
	}
	if len(s.Nodes) == 0 {
		return WordGraph{Nodes: []string{strings.Clone(text)}}
	}
	for _, r := range g.Relations {
		subject, object := int(r.Subject), int(r.Object)
		whole := subject >= 0 && object >= 0 && subject < len(s.Nodes) && object < len(s.Nodes) && subject != object
		if whole && r.Predicate != "" && len(s.Relations) < maxRelations {
			s.Relations = append(s.Relations, WordRelation{subject, object, strings.Clone(r.Predicate), isSymmetric(r.Lemma)})
		}
	}
	return s
}

// nodePhrase returns an object in the words of MosaiCLIP's sub-graphs, without templates.
func nodePhrase(o *schemas.Object) string {
	words := []string{o.Quantity}
	said := func(form string) {
		for _, a := range o.Attributes {
			if (a.Form == schemas.Post) == (form == schemas.Post) {
				words = append(words, a.Text)
			}
		}
	}
	said(schemas.Pre)
	words = append(words, o.Name)
	said(schemas.Post)
	return strings.Clone(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}

// symmetricEnds are the ends of symmetric predicates, with verbs in their base form.
var symmetricEnds = []string{
	"next to", "beside", "alongside", "adjacent to", "near", "nearby", "close to", "far from", "by", "opposite", "across from", "against",
	"and", "with", "touch", "meet", "hug", "kiss", "face", "marry", "match", "resemble", "talk to", "speak to", "chat to",
}

// isSymmetric reports whether a relation with this lemma is as true the other way round.
func isSymmetric(lemma string) bool {
	return slices.ContainsFunc(symmetricEnds, func(s string) bool {
		rest, ok := strings.CutSuffix(lemma, s)
		return ok && (rest == "" || rest[len(rest)-1] == ' ')
	})
}

// Perturbation is what OC-CLIP's local loss uses of a graph to make negatives of one relation
// (§3.3).
type Perturbation struct {
	// Relation is the index of the drawn relation; -1 if none can be drawn.
	Relation int
	// Subject and Object are two other nodes for it; -1 if there are none.
	Subject, Object int
}

// Perturb draws a relation of the graph of the row with that key, to be reversed, and two other
// nodes for it. It draws no relation whose reverse is true too: a symmetric one, one between nodes
// of the same words, or one whose reverse is in the graph. The graph has neither the relation nor
// its reverse between the two nodes.
func (d Draw) Perturb(key string, s *WordGraph) Perturbation {
	random := d.Random("relation", key)
	var open []int
	for i, r := range s.Relations {
		if !r.IsSymmetric && !s.hasRelation(r.Object, r.Subject, r.Predicate) {
			open = append(open, i)
		}
	}
	a := Perturbation{-1, -1, -1}
	if len(open) == 0 {
		return a
	}
	a.Relation = open[random.IntN(len(open))]
	r := s.Relations[a.Relation]
	var pairs [][2]int
	for i, subject := range s.Nodes {
		for j, object := range s.Nodes {
			turned := subject == s.Nodes[r.Object] && object == s.Nodes[r.Subject]
			if i != j && subject != object && !turned && !s.hasRelation(i, j, r.Predicate) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	if len(pairs) > 0 {
		p := pairs[random.IntN(len(pairs))]
		a.Subject, a.Object = p[0], p[1]
	}
	return a
}

// hasRelation reports whether the graph has the relation between nodes with the words of these two.
func (s *WordGraph) hasRelation(subject, object int, predicate string) bool {
	return slices.ContainsFunc(s.Relations, func(r WordRelation) bool {
		return r.Predicate == predicate && s.Nodes[r.Subject] == s.Nodes[subject] && s.Nodes[r.Object] == s.Nodes[object]
	})
}
