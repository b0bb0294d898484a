package sources

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/schemas"
)

// scene is the graph of an image or a region as annotators drew it: things, and how
// they stand to each other.
type scene struct {
	things []thing
	at     map[string]int // things by their ids
	edges  []edge
}

// thing is an object of a scene. Box is its place in the image as JSON, [x, y, width,
// height] in pixels, or null; fault says what is wrong with it.
type thing struct {
	name, quantity string
	attributes     []string
	box, fault     string
}

// edge is a relation of a scene between two of its things; fault says what is wrong
// with it.
type edge struct {
	subject, object  int
	predicate, fault string
}

func newScene() *scene { return &scene{at: map[string]int{}} }

// thing is the one of an id, known or new; one without an id is new.
func (s *scene) thing(id string) *thing {
	i, ok := s.at[id]
	if !ok || id == "" {
		i = len(s.things)
		s.things = append(s.things, thing{box: "null"})
		s.at[id] = i
	}
	return &s.things[i]
}

// The bounds of a scene, which is in memory as a whole, and of what is said of one
// thing.
const (
	maxThings     = 10_000
	maxEdges      = 10_000
	maxAttributes = 64
	maxSaid       = 200 // bytes of one name, attribute or predicate
)

// call names the thing, where it has no name yet; key says which it is.
func (t *thing) call(key, name string) {
	if name = nameOf(name); t.name == "" {
		t.name = name
	}
	switch {
	case t.name == "":
		t.fault = fmt.Sprintf("the object %.40q has no name", key)
	case len(t.name) > maxSaid:
		t.fault = fmt.Sprintf("the object %.40q has a name of %d bytes, more than %d", key, len(t.name), maxSaid)
	case key == "":
		t.fault = fmt.Sprintf("the object %.40q has no id", t.name)
	default:
		t.fault = ""
	}
}

// say adds attributes, each once; a number is the quantity.
func (t *thing) say(attributes ...string) {
	for _, text := range attributes {
		text = attributeOf(text)
		switch {
		case text == "" || slices.Contains(t.attributes, text):
		case len(text) > maxSaid || len(t.attributes) == maxAttributes:
			t.fault = fmt.Sprintf("the object %.40q has more than %d attributes, or one of more than %d bytes", t.name, maxAttributes, maxSaid)
			return
		case isQuantity(text) && t.quantity == "":
			t.quantity = text
		default:
			t.attributes = append(t.attributes, text)
		}
	}
}

// relate adds an edge between things with these ids.
func (s *scene) relate(subject, predicate, object string) {
	e := edge{predicate: predicateOf(predicate)}
	var from, to bool
	e.subject, from = s.at[subject]
	e.object, to = s.at[object]
	switch {
	case !from || subject == "":
		e.fault = fmt.Sprintf("the relation %.40q is of the object %.40q, which is not there", predicate, subject)
	case !to || object == "":
		e.fault = fmt.Sprintf("the relation %.40q leads to the object %.40q, which is not there", predicate, object)
	case e.subject == e.object:
		e.fault = fmt.Sprintf("the relation %.40q leads from an object to itself", predicate)
	case e.predicate == "":
		e.fault = "a relation has no predicate"
	case len(e.predicate) > maxSaid:
		e.fault = fmt.Sprintf("a relation has a predicate of %d bytes, more than %d", len(e.predicate), maxSaid)
	}
	s.edges = append(s.edges, e)
}

// tooLarge says what a scene has too many of.
func (s *scene) tooLarge() string {
	switch {
	case len(s.things) > maxThings:
		return fmt.Sprintf("has %d objects, more than %d", len(s.things), maxThings)
	case len(s.edges) > maxEdges:
		return fmt.Sprintf("has %d relations, more than %d", len(s.edges), maxEdges)
	}
	return ""
}

// whole is the graph of the whole scene, and the boxes of its objects; fault is the
// first thing that is wrong.
func (s *scene) whole(w *sceneWords) (g *schemas.SceneGraph, boxes, fault string) {
	all := make([]int, len(s.things))
	for i := range all {
		all[i] = i
	}
	for _, e := range s.edges {
		if e.fault != "" {
			return nil, "", e.fault
		}
	}
	return s.part(w, all, s.edges)
}

// part is the graph of some things and of the edges between them.
func (s *scene) part(w *sceneWords, things []int, edges []edge) (g *schemas.SceneGraph, boxes, fault string) {
	g = new(schemas.SceneGraph)
	var all []string
	for _, i := range things {
		t := &s.things[i]
		if t.fault != "" {
			return nil, "", t.fault
		}
		g.Objects = append(g.Objects, w.object(t))
		all = append(all, t.box)
	}
	for _, e := range edges {
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: int32(slices.Index(things, e.subject)), Object: int32(slices.Index(things, e.object)),
			Predicate: e.predicate, Lemma: w.lemma(e.predicate), Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
	return g, "[" + strings.Join(all, ",") + "]", ""
}

// most is how many things that stand in no relation are said in one caption, as in
// OC-CLIP's "{Obj1}, {Obj2}, {Obj3}" (App. A.7).
const most = 3

// parts gives the captions of a scene that has none of its own (OC-CLIP, App. A.7):
// each relation with its two things, then the things that stand in none, three at a
// time. A fault is the reason why a part is none.
func (s *scene) parts(w *sceneWords, give func(g *schemas.SceneGraph, boxes, fault string)) {
	related := make([]bool, len(s.things))
	for _, e := range s.edges {
		if e.fault != "" {
			give(nil, "", e.fault)
			continue
		}
		g, boxes, fault := s.part(w, []int{e.subject, e.object}, []edge{e})
		if fault == "" {
			related[e.subject], related[e.object] = true, true
		}
		give(g, boxes, fault)
	}
	var lone []int
	for i, t := range s.things {
		switch {
		case t.fault != "":
			give(nil, "", t.fault)
		case !related[i]:
			lone = append(lone, i)
		}
	}
	for group := range slices.Chunk(lone, most) {
		give(s.part(w, group, nil))
	}
}
