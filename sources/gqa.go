package sources

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// gqa reads the scene graphs of GQA (Hudson and Manning 2019): an object of images by
// their ids, each with its objects by theirs, which have attributes and relations.
type gqa struct {
	in    *input
	words *sceneWords
	image object
}

func openGQA(in *input) (rows, error) {
	g := &gqa{in: in, words: newSceneWords()}
	return in.imageList(&imageList{rowsOf: g.rowsOf, keyed: true, remedy: "give an object of images by their ids, as train_sceneGraphs.json is"})
}

// rowsOf makes the rows of an image.
func (g *gqa) rowsOf(key string, raw []byte) []Row {
	image := Row{ImageKey: key}
	if key == "" {
		image.reject(RejectMissingImage, "the name of an image is empty")
	} else {
		image.Image = key + ".jpg"
	}
	if image.Reject != "" || !g.image.parse(raw, &image) {
		return []Row{image}
	}
	s, fault := drawn(g.image.get("objects"))
	if fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return []Row{image}
	}
	return sceneRows(g.in, g.words, s, image, parserGQA, asked(g.in, g.image.cell))
}

// drawn reads the objects of an image.
func drawn(objects jsontext.Value) (s *scene, fault string) {
	s = newScene()
	names, values, err := members(objects)
	if err != nil {
		return nil, fmt.Sprintf("objects: %v", err)
	}
	type outgoing struct{ from, name, to string }
	var edges []outgoing
	for i, key := range names {
		var o object
		var row Row
		if !o.parse(values[i], &row) {
			return nil, "objects: " + row.Detail
		}
		t := s.thing(key)
		t.call(key, o.cell("name").Text)
		t.box = box(&o)
		t.say(texts(o.get("attributes"))...)
		relations, err := anyElements(o.get("relations"))
		if err != nil {
			t.fault = fmt.Sprintf("the relations of the object %q: %v", key, err)
		}
		for _, v := range relations {
			var r object
			if !r.parse(v, &row) {
				t.fault = fmt.Sprintf("a relation of the object %q: %s", key, row.Detail)
				continue
			}
			to := ""
			if c := r.cell("object"); c.kind != otherCell {
				to = c.String()
			}
			edges = append(edges, outgoing{key, r.cell("name").Text, to})
		}
	}
	for _, e := range edges {
		s.relate(e.from, e.name, e.to)
	}
	return s, s.tooLarge()
}

// members are the names and values of a JSON object; nothing is none.
func members(v jsontext.Value) (names []string, values []jsontext.Value, err error) {
	if len(v) == 0 || v.Kind() == 'n' {
		return nil, nil, nil
	}
	if v.Kind() != '{' {
		return nil, nil, fmt.Errorf("not an object")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, nil, err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, nil, err
		}
		if len(names) == maxElements {
			return nil, nil, errTooMany
		}
		names = append(names, name.String())
		value, err := dec.ReadValue()
		if err != nil {
			return nil, nil, err
		}
		values = append(values, value.Clone())
	}
	return names, values, nil
}

// anyElements are the values of a list, or of an object, whatever their names: the
// published description has the one, and the files the other.
func anyElements(v jsontext.Value) ([]jsontext.Value, error) {
	if len(v) == 0 || v.Kind() == 'n' {
		return nil, nil
	}
	if v.Kind() == '{' {
		_, values, err := members(v)
		return values, err
	}
	return elements(v)
}
