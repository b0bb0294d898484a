package scenegraph

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// WordGraph is a scene graph in words: a text for each node and each predicate, as OC-CLIP's text
// tower reads it (OC-CLIP §3). It has at least one node.
type WordGraph struct {
	// Nodes are noun phrases with their attributes, without articles: "two red umbrellas", "woman
	// in blue". Two nodes may have the same text.
	Nodes     []string
	Relations []WordRelation
}

// WordRelation is a relation between two nodes; Subject and Object are their indices.
type WordRelation struct {
	Subject, Object int
	Predicate       string // "to the left of"
	// IsSymmetric is set if the relation is also true in reverse: "next to".
	IsSymmetric bool
}

// Limits of a graph. No caption has more.
const (
	maxNodes     = 64
	maxRelations = 128
)

// NewWordGraph returns the graph of a text in words. It does not share memory with g. If g has no
// objects, the text is the only node.
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

// nodePhrase returns an object in words, as MosaiCLIP's sub-graphs have it without templates.
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

// symmetricEnds are the last words of symmetric predicates, with verbs in their base form.
var symmetricEnds = []string{
	"next to", "beside", "alongside", "adjacent to", "near", "nearby", "close to", "far from", "by", "opposite", "across from", "against",
	"and", "with", "touch", "meet", "hug", "kiss", "face", "marry", "match", "resemble", "talk to", "speak to", "chat to",
}

// isSymmetric reports whether a relation with this lemma is also true in reverse.
func isSymmetric(lemma string) bool {
	return slices.ContainsFunc(symmetricEnds, func(s string) bool {
		rest, ok := strings.CutSuffix(lemma, s)
		return ok && (rest == "" || rest[len(rest)-1] == ' ')
	})
}

// HasRelation reports whether the graph has a relation with this predicate between nodes with the
// same words as the two given.
func (s *WordGraph) HasRelation(subject, object int, predicate string) bool {
	return slices.ContainsFunc(s.Relations, func(r WordRelation) bool {
		return r.Predicate == predicate && s.Nodes[r.Subject] == s.Nodes[subject] && s.Nodes[r.Object] == s.Nodes[object]
	})
}
