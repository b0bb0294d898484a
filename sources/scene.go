package sources

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/schemas"
)

// scene is the graph of an image or a region as annotators made it: things, and edges between them.
type scene struct {
	things  []thing
	indexes map[string]int // from ids to indexes of things
	edges   []edge
}

// thing is an object in a scene. box is its place in the image as JSON, [x, y, width, height] in
// pixels, or null. fault says why it is invalid; "" if it is valid.
type thing struct {
	name, quantity string
	attributes     []string
	box, fault     string
}

// edge is a relation between two things of a scene. fault says why it is invalid; "" if it is valid.
type edge struct {
	subject, object  int
	predicate, fault string
}

func newScene() *scene { return &scene{indexes: map[string]int{}} }

// thingByID returns the thing with that id. It adds a thing if the id is new or empty.
func (s *scene) thingByID(id string) *thing {
	i, ok := s.indexes[id]
	if !ok || id == "" {
		i = len(s.things)
		s.things = append(s.things, thing{box: "null"})
		s.indexes[id] = i
	}
	return &s.things[i]
}

// Bounds for a scene, which is held in memory, and for the words of a thing.
const (
	maxThings     = 10_000
	maxEdges      = 10_000
	maxAttributes = 64
	maxWordBytes  = 200 // bytes of one name, attribute or predicate
)

// setName names the thing unless it has a name. key is its id, for messages.
func (t *thing) setName(key, name string) {
	if name = objectName(name); t.name == "" {
		t.name = name
	}
	switch {
	case t.name == "":
		t.fault = fmt.Sprintf("the object %.40q has no name", key)
	case len(t.name) > maxWordBytes:
		t.fault = fmt.Sprintf("the object %.40q has a name of %d bytes, more than %d", key, len(t.name), maxWordBytes)
	case key == "":
		t.fault = fmt.Sprintf("the object %.40q has no id", t.name)
	default:
		t.fault = ""
	}
}

// addAttributes adds attributes without duplicates. A number becomes the quantity.
func (t *thing) addAttributes(attributes ...string) {
	for _, text := range attributes {
		text = attributeText(text)
		switch {
		case text == "" || slices.Contains(t.attributes, text):
		case len(text) > maxWordBytes || len(t.attributes) == maxAttributes:
			t.fault = fmt.Sprintf("the object %.40q has more than %d attributes, or one of more than %d bytes", t.name, maxAttributes, maxWordBytes)
			return
		case isQuantity(text) && t.quantity == "":
			t.quantity = text
		default:
			t.attributes = append(t.attributes, text)
		}
	}
}

// addEdge adds an edge between the things with these ids.
func (s *scene) addEdge(subject, predicate, object string) {
	e := edge{predicate: predicateText(predicate)}
	var from, to bool
	e.subject, from = s.indexes[subject]
	e.object, to = s.indexes[object]
	switch {
	case !from || subject == "":
		e.fault = fmt.Sprintf("the relation %.40q is of the object %.40q, which is not there", predicate, subject)
	case !to || object == "":
		e.fault = fmt.Sprintf("the relation %.40q leads to the object %.40q, which is not there", predicate, object)
	case e.subject == e.object:
		e.fault = fmt.Sprintf("the relation %.40q leads from an object to itself", predicate)
	case e.predicate == "":
		e.fault = "a relation has no predicate"
	case len(e.predicate) > maxWordBytes:
		e.fault = fmt.Sprintf("a relation has a predicate of %d bytes, more than %d", len(e.predicate), maxWordBytes)
	}
	s.edges = append(s.edges, e)
}

// sizeFault returns a message if a scene has too many things or edges; "" if not.
func (s *scene) sizeFault() string {
	switch {
	case len(s.things) > maxThings:
		return fmt.Sprintf("has %d objects, more than %d", len(s.things), maxThings)
	case len(s.edges) > maxEdges:
		return fmt.Sprintf("has %d relations, more than %d", len(s.edges), maxEdges)
	}
	return ""
}

// wholeGraph returns the graph of the whole scene and the boxes of its objects. fault is the reason
// why it is invalid.
func (s *scene) wholeGraph(w *sceneWords) (g *schemas.SceneGraph, boxes, fault string) {
	all := make([]int, len(s.things))
	for i := range all {
		all[i] = i
	}
	for _, e := range s.edges {
		if e.fault != "" {
			return nil, "", e.fault
		}
	}
	return s.partGraph(w, all, s.edges)
}

// partGraph returns the graph of some things and of edges between them, and the boxes of these things.
func (s *scene) partGraph(w *sceneWords, things []int, edges []edge) (g *schemas.SceneGraph, boxes, fault string) {
	g = new(schemas.SceneGraph)
	var all []string
	for _, i := range things {
		t := &s.things[i]
		if t.fault != "" {
			return nil, "", t.fault
		}
		g.Objects = append(g.Objects, w.newObject(t))
		all = append(all, t.box)
	}
	for _, e := range edges {
		g.Relations = append(g.Relations, schemas.Relation{
			Subject: int32(slices.Index(things, e.subject)), Object: int32(slices.Index(things, e.object)),
			Predicate: e.predicate, Lemma: w.lemmaOf(e.predicate), Begin: schemas.NoOffset, End: schemas.NoOffset,
		})
	}
	return g, "[" + strings.Join(all, ",") + "]", ""
}

// maxLoneThings is how many things without a relation one caption lists, as in OC-CLIP's "{Obj1},
// {Obj2}, {Obj3}" (App. A.7).
const maxLoneThings = 3

// eachPart splits a scene without a caption into graphs for captions (OC-CLIP, App. A.7) and calls
// give for each: first each relation with its two things, then the things without a relation, up to
// three at a time. If a part is invalid, fault says why.
func (s *scene) eachPart(w *sceneWords, give func(g *schemas.SceneGraph, boxes, fault string)) {
	related := make([]bool, len(s.things))
	for _, e := range s.edges {
		if e.fault != "" {
			give(nil, "", e.fault)
			continue
		}
		g, boxes, fault := s.partGraph(w, []int{e.subject, e.object}, []edge{e})
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
	for group := range slices.Chunk(lone, maxLoneThings) {
		give(s.partGraph(w, group, nil))
	}
}
