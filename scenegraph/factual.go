package scenegraph

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/schemas"
)

// Triple is an element of FACTUAL's form: a relation (subject, predicate, object), an attribute
// (object, "is", attribute), or a single object with an empty Predicate.
type Triple struct{ Subject, Predicate, Object string }

// ParseTriples reads FACTUAL's linearised form: "( man , ride , wave ) , ( wall )". Empty text has
// no triples. Anything else that is not in this form is an error.
func ParseTriples(s string) ([]Triple, error) {
	var out []Triple
	rest := strings.TrimSpace(s)
	for rest != "" {
		if len(out) > 0 {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				return nil, fmt.Errorf("no comma before %.40q", rest)
			}
			rest = strings.TrimSpace(rest)
		}
		body, ok := strings.CutPrefix(rest, "(")
		if !ok {
			return nil, fmt.Errorf("no ( before %.40q", rest)
		}
		body, after, ok := strings.Cut(body, ")")
		if !ok {
			return nil, fmt.Errorf("no ) after %.40q", rest)
		}
		parts := strings.Split(body, ",")
		for i := range parts {
			if parts[i] = strings.Join(strings.Fields(parts[i]), " "); parts[i] == "" {
				return nil, fmt.Errorf("an empty part in (%.40s)", body)
			}
		}
		switch len(parts) {
		case 1:
			out = append(out, Triple{Subject: parts[0]})
		case 3:
			out = append(out, Triple{parts[0], parts[1], parts[2]})
		default:
			return nil, fmt.Errorf("%d parts in (%.40s), want 1 or 3", len(parts), body)
		}
		rest = strings.TrimSpace(after)
	}
	return out, nil
}

// Tuples returns the set of tuples that SPICE counts (Anderson et al. 2016, section 3.2): each
// object, each attribute of an object, and each relation.
func Tuples(ts []Triple) map[Triple]bool {
	m := make(map[Triple]bool, 3*len(ts))
	for _, t := range ts {
		m[Triple{Subject: t.Subject}] = true
		if t.Predicate != "" {
			m[t] = true
			if t.Predicate != "is" {
				m[Triple{Subject: t.Object}] = true
			}
		}
	}
	return m
}

// ParseFactual parses FACTUAL's linearised form into a graph without offsets. Objects with the same
// name are one object; in names with node numbers ("tower:1"), those with the same number are. A
// number as an attribute becomes the object's quantity. The marks of verbs ("v:ride", "pv:tie to")
// are removed.
func ParseFactual(s string) (schemas.SceneGraph, error) {
	ts, err := ParseTriples(s)
	if err != nil {
		return schemas.SceneGraph{}, fmt.Errorf("FACTUAL graph: %w", err)
	}
	b := factualBuilder{at: map[string]int32{}}
	for _, t := range ts {
		o := b.internObject(t.Subject)
		switch t.Predicate {
		case "":
		case "is":
			b.addAttribute(o, t.Object)
		default:
			b.addRelation(o, t.Predicate, b.internObject(t.Object))
		}
	}
	return b.graph, nil
}

type factualBuilder struct {
	graph schemas.SceneGraph
	at    map[string]int32
}

// internObject returns the index of the object of a node. It adds the object if it is new.
func (b *factualBuilder) internObject(node string) int32 {
	if i, ok := b.at[node]; ok {
		return i
	}
	name := node
	if before, number, ok := strings.Cut(node, ":"); ok && !isDigits(before) && before != "" && isDigits(number) {
		name = strings.TrimSpace(before)
	}
	i := int32(len(b.graph.Objects))
	b.at[node] = i
	head := name[strings.LastIndexByte(name, ' ')+1:]
	b.graph.Objects = append(b.graph.Objects, schemas.Object{Name: name, Head: head, Begin: schemas.NoOffset, End: schemas.NoOffset})
	return i
}

func (b *factualBuilder) addAttribute(object int32, text string) {
	o := &b.graph.Objects[object]
	if isDigits(text) && o.Quantity == "" {
		o.Quantity = text
		return
	}
	if slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return a.Text == text }) {
		return
	}
	o.Attributes = append(o.Attributes, schemas.Attribute{Text: text, Form: schemas.Pre, Begin: schemas.NoOffset, End: schemas.NoOffset})
}

// addRelation adds a relation, except one from an object to itself, which a graph cannot have.
func (b *factualBuilder) addRelation(from int32, predicate string, to int32) {
	for _, mark := range []string{"v:", "pv:"} {
		predicate = strings.TrimPrefix(predicate, mark)
	}
	if from == to || predicate == "" {
		return
	}
	b.graph.Relations = append(b.graph.Relations, schemas.Relation{Subject: from, Predicate: predicate, Lemma: predicate, Object: to, Begin: schemas.NoOffset, End: schemas.NoOffset})
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
