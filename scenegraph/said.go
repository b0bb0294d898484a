package scenegraph

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// Said is a scene graph in words, as OC-CLIP's text tower reads it, one text for each
// node and each predicate (OC-CLIP §3). It has one node at least.
type Said struct {
	// Nodes are noun phrases with their attributes, without article: "two red umbrellas",
	// "woman in blue". Two may be equal.
	Nodes     []string
	Relations []SaidRelation
}

// SaidRelation is what is between two nodes; Subject and Object are their places.
type SaidRelation struct {
	Subject, Object int
	Predicate       string // "to the left of"
	// Symmetric says that it is as true the other way round: "next to".
	Symmetric bool
}

// What is taken of a graph; more than that is no caption's.
const (
	maxSaidNodes     = 64
	maxSaidRelations = 128
)

// Say puts the graph of a text in words, in memory of its own. A graph without objects
// is one node, the text.
func Say(text string, g *schemas.SceneGraph) Said {
	var s Said
	for i := range g.Objects[:min(len(g.Objects), maxSaidNodes)] {
		s.Nodes = append(s.Nodes, nodePhrase(&g.Objects[i]))
	}
	if len(s.Nodes) == 0 {
		return Said{Nodes: []string{strings.Clone(text)}}
	}
	for _, r := range g.Relations {
		subject, object := int(r.Subject), int(r.Object)
		whole := subject >= 0 && object >= 0 && subject < len(s.Nodes) && object < len(s.Nodes) && subject != object
		if whole && r.Predicate != "" && len(s.Relations) < maxSaidRelations {
			s.Relations = append(s.Relations, SaidRelation{subject, object, strings.Clone(r.Predicate), symmetric(r.Lemma)})
		}
	}
	return s
}

// nodePhrase says an object as MosaiCLIP's sub-graphs do, without templates.
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

// symmetrics are the ends of predicates that are true both ways, verbs in their base form.
var symmetrics = []string{
	"next to", "beside", "alongside", "adjacent to", "near", "nearby", "close to", "far from", "by", "opposite", "across from", "against",
	"and", "with", "touch", "meet", "hug", "kiss", "face", "marry", "match", "resemble", "talk to", "speak to", "chat to",
}

// symmetric says whether a relation with this lemma is as true the other way round.
func symmetric(lemma string) bool {
	return slices.ContainsFunc(symmetrics, func(s string) bool {
		rest, ok := strings.CutSuffix(lemma, s)
		return ok && (rest == "" || rest[len(rest)-1] == ' ')
	})
}

// Altered is what OC-CLIP's local loss makes of one relation of a graph (§3.3).
type Altered struct {
	// Relation is the place of the relation that is drawn; -1 where none can be.
	Relation int
	// Subject and Object are two other nodes for it; -1 where there are none.
	Subject, Object int
}

// Alter draws, of a graph of the row with that key, the relation that is turned round,
// and two nodes that are drawn for it besides. No relation is drawn that would be as
// true turned round: a symmetric one, one between two nodes of the same words, or one
// of which the graph has the reverse. The two nodes are said as neither the relation nor its reverse is.
func (d Draw) Alter(key string, s *Said) Altered {
	random := d.Numbers("relation", key)
	var open []int
	for i, r := range s.Relations {
		if !r.Symmetric && !s.holds(r.Object, r.Subject, r.Predicate) {
			open = append(open, i)
		}
	}
	a := Altered{-1, -1, -1}
	if len(open) == 0 {
		return a
	}
	a.Relation = open[random.Below(len(open))]
	r := s.Relations[a.Relation]
	var pairs [][2]int
	for i, subject := range s.Nodes {
		for j, object := range s.Nodes {
			turned := subject == s.Nodes[r.Object] && object == s.Nodes[r.Subject]
			if i != j && subject != object && !turned && !s.holds(i, j, r.Predicate) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	if len(pairs) > 0 {
		p := pairs[random.Below(len(pairs))]
		a.Subject, a.Object = p[0], p[1]
	}
	return a
}

// holds says whether the graph says a relation between nodes of the words of two.
func (s *Said) holds(subject, object int, predicate string) bool {
	return slices.ContainsFunc(s.Relations, func(r SaidRelation) bool {
		return r.Predicate == predicate && s.Nodes[r.Subject] == s.Nodes[subject] && s.Nodes[r.Object] == s.Nodes[object]
	})
}
