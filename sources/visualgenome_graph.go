package sources

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// annotated reads the lists of objects, attributes and relationships of an image or a
// region, as far as they are there. What is wrong with one of them is its own fault;
// a list that is none is the fault that is returned.
func (s *scene) annotated(get func(name string) jsontext.Value) (fault string) {
	for _, list := range []struct {
		name string
		each func(o *object)
	}{
		{"objects", func(o *object) { s.annotatedThing(o) }},
		{"attributes", func(o *object) { s.annotatedThing(o) }},
		{"relationships", s.annotatedEdge},
	} {
		raw := get(list.name)
		if raw == nil || raw.Kind() == 'n' {
			continue
		}
		all, err := elements(raw)
		if err != nil {
			return fmt.Sprintf("%s: %v", list.name, err)
		}
		var o object
		for _, v := range all {
			var row Row
			if !o.parse(v, &row) {
				return list.name + ": " + row.Detail
			}
			if list.each(&o); s.tooLarge() != "" {
				return s.tooLarge()
			}
		}
	}
	return ""
}

// annotatedThing takes an object with its names, box and attributes, and returns its
// id.
func (s *scene) annotatedThing(o *object) string {
	key := ""
	if c := o.cell("object_id"); c.kind != otherCell {
		key = c.String()
	}
	t := s.thing(key)
	t.call(key, firstText(o, "name", "names"))
	if b := box(o); b != "null" {
		t.box = b
	}
	t.say(texts(o.get("attributes"))...)
	return key
}

// annotatedEdge takes a relation: by the ids of its objects, or with the objects
// themselves.
func (s *scene) annotatedEdge(o *object) {
	end := func(whole, byID string) string {
		if raw := o.get(whole); raw != nil && raw.Kind() == '{' {
			var of object
			var row Row
			if of.parse(raw, &row) {
				return s.annotatedThing(&of)
			}
		}
		if c := o.cell(byID); c.kind != otherCell {
			return c.String()
		}
		return ""
	}
	subject, object := end("subject", "subject_id"), end("object", "object_id")
	s.relate(subject, o.cell("predicate").Text, object)
}

// firstText is the first text under the names, of a list its first.
func firstText(o *object, names ...string) string {
	for _, name := range names {
		if all := texts(o.get(name)); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// texts are those of a JSON list, or the one text.
func texts(v jsontext.Value) (all []string) {
	if len(v) == 0 {
		return nil
	}
	list := []jsontext.Value{v}
	if v.Kind() == '[' {
		list, _ = elements(v)
	}
	for _, e := range list {
		if c := jsonCell(e); c.kind == textCell && strings.TrimSpace(c.Text) != "" {
			all = append(all, c.Text)
		}
	}
	return all
}

// box is the place of an object as a JSON list of numbers, or null.
func box(o *object) string {
	var all []string
	for _, name := range []string{"x", "y", "w", "h"} {
		v := o.get(name)
		if v == nil || v.Kind() != '0' {
			return "null"
		}
		all = append(all, string(v))
	}
	return "[" + strings.Join(all, ",") + "]"
}
