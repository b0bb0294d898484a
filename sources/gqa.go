package sources

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// gqa reads the scene graphs of GQA (Hudson and Manning 2019): an object of images by id, each of
// which has its objects by id with their attributes and relations.
type gqa struct {
	in    *input
	words *sceneWords
	image jsonObject
}

func openGQA(in *input) (rowReader, error) {
	g := &gqa{in: in, words: newSceneWords()}
	return in.openImageList(&imageList{rowsOf: g.rowsOf, keyed: true, remedy: "give an object of images by their ids, as train_sceneGraphs.json is"})
}

// rowsOf returns the rows of an image.
func (g *gqa) rowsOf(key string, raw []byte) []Row {
	image := Row{ImageKey: key}
	if key == "" {
		image.reject(RejectMissingImage, "the name of an image is empty")
	} else {
		image.Image = key + ".jpg"
	}
	if image.Reject != "" || !g.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	s, fault := readGQAScene(g.image.valueOf("objects"))
	if fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return []Row{image}
	}
	return sceneRows(g.in, g.words, s, image, parserGQA, imageFields(g.in, g.image.cellOf))
}

// readGQAScene reads the objects of an image.
func readGQAScene(objects jsontext.Value) (s *scene, fault string) {
	s = newScene()
	names, values, err := objectMembers(objects)
	if err != nil {
		return nil, fmt.Sprintf("objects: %v", err)
	}
	type outgoing struct{ from, name, to string }
	var edges []outgoing
	for i, key := range names {
		var o jsonObject
		var row Row
		if !o.parseOrReject(values[i], &row) {
			return nil, "objects: " + row.Detail
		}
		t := s.thingByID(key)
		t.setName(key, o.cellOf("name").Text)
		t.box = boxJSON(&o)
		t.addAttributes(jsonTexts(o.valueOf("attributes"))...)
		relations, err := listOrObjectValues(o.valueOf("relations"))
		if err != nil {
			t.fault = fmt.Sprintf("the relations of the object %q: %v", key, err)
		}
		for _, v := range relations {
			var r jsonObject
			if !r.parseOrReject(v, &row) {
				t.fault = fmt.Sprintf("a relation of the object %q: %s", key, row.Detail)
				continue
			}
			to := ""
			if c := r.cellOf("object"); c.kind != otherCell {
				to = c.String()
			}
			edges = append(edges, outgoing{key, r.cellOf("name").Text, to})
		}
	}
	for _, e := range edges {
		s.addEdge(e.from, e.name, e.to)
	}
	return s, s.sizeFault()
}

// objectMembers returns the names and values of a JSON object. For null or an empty value it returns none.
func objectMembers(v jsontext.Value) (names []string, values []jsontext.Value, err error) {
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

// listOrObjectValues returns the elements of a list, or the values of an object: GQA's published
// description has lists, but its files have objects.
func listOrObjectValues(v jsontext.Value) ([]jsontext.Value, error) {
	if len(v) == 0 || v.Kind() == 'n' {
		return nil, nil
	}
	if v.Kind() == '{' {
		_, values, err := objectMembers(v)
		return values, err
	}
	return listElements(v)
}
