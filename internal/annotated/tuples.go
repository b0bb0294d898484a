package annotated

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/schemas"
)

// The kinds of tuples. A RelationTuple has two objects and the words of the relation, an
// UnlabelledTuple the same objects alone.
const (
	ObjectTuple = iota
	AttributeTuple
	QuantityTuple
	RelationTuple
	UnlabelledTuple
	TupleKinds
)

// TupleNames are the names of the kinds.
var TupleNames = [TupleKinds]string{"objects", "attributes", "quantities", "relations", "unlabelled"}

// Tuple is one fact of a graph. Subject is the byte at which the last word of its object ends; for
// relations Object is the byte of the second one.
type Tuple struct {
	Kind, Subject, Object int
	Words                 string
}

// FromParsed returns a parser's graph of a text as a row.
func FromParsed(text string, p *schemas.Parsed) Row {
	r := Row{Text: text, Confidence: float64(p.Confidence)}
	for _, o := range p.Graph.Objects {
		x := Object{Name: o.Name, Begin: int(o.Begin), End: int(o.End)}
		x.Quantity.Text = o.Quantity
		for _, a := range o.Attributes {
			x.Attributes = append(x.Attributes, Attribute{Text: a.Text, Form: a.Form, Span: Span{Begin: int(a.Begin), End: int(a.End)}})
		}
		r.Objects = append(r.Objects, x)
	}
	for _, e := range p.Graph.Relations {
		r.Relations = append(r.Relations, Relation{Subject: int(e.Subject), Predicate: e.Predicate, Object: int(e.Object)})
	}
	return r
}

// Tuples returns the tuples of r. ends has the places of its objects.
func Tuples(r *Row, ends []int) map[Tuple]bool {
	m := map[Tuple]bool{}
	for i, o := range r.Objects {
		m[Tuple{Kind: ObjectTuple, Subject: ends[i]}] = true
		for _, a := range o.Attributes {
			m[Tuple{Kind: AttributeTuple, Subject: ends[i], Words: normaliseWords(a.Text)}] = true
		}
		if o.Quantity.Text != "" {
			m[Tuple{Kind: QuantityTuple, Subject: ends[i], Words: normaliseWords(o.Quantity.Text)}] = true
		}
	}
	for _, e := range r.Relations {
		words := normaliseWords(e.Predicate)
		if words == "have" || words == "having" {
			words = "has"
		}
		m[Tuple{RelationTuple, ends[e.Subject], ends[e.Object], words}] = true
		m[Tuple{UnlabelledTuple, ends[e.Subject], ends[e.Object], ""}] = true
	}
	return m
}

// ObjectEnds returns the offset at which the last word of each object of r ends, without a
// possessive 's.
func ObjectEnds(r *Row) []int {
	ends := make([]int, len(r.Objects))
	for i, o := range r.Objects {
		ends[i] = o.End - possessiveLen(o.Name)
	}
	return ends
}

// AlignedEnds returns the offsets at which the objects of got end. If an object ends at a later
// mention of one of gold's objects, the end of that object's first mention is returned, unless
// another object of got ends there.
func AlignedEnds(got, gold *Row) []int {
	ends, taken := ObjectEnds(got), map[int]bool{}
	for _, e := range ends {
		taken[e] = true
	}
	first := ObjectEnds(gold)
	for i := range ends {
		if slices.Contains(first, ends[i]) {
			continue
		}
		for k, o := range gold.Objects {
			named := slices.ContainsFunc(o.Mentions, func(m Span) bool {
				return m.Begin >= 0 && m.End-possessiveLen(gold.Text[m.Begin:m.End]) == ends[i]
			})
			if named && !taken[first[k]] {
				ends[i], taken[first[k]] = first[k], true
				break
			}
		}
	}
	return ends
}

// possessiveLen returns the length in bytes of the 's that ends a name; 0 if there is none.
func possessiveLen(name string) int {
	name = strings.ToLower(name)
	for _, s := range []string{"'s", "’s", "'", "’"} {
		if strings.HasSuffix(name, s) {
			return len(s)
		}
	}
	return 0
}

// ignoredWords are ignored when predicates are compared.
var ignoredWords = strings.Fields("is are was were be been being a an the am 's 're")

// normaliseWords returns the form in which words are compared: in lower case, without auxiliaries
// and articles if others remain.
func normaliseWords(words string) string {
	words = strings.ToLower(words)
	kept := strings.Fields(strings.ReplaceAll(words, "’", "'"))
	kept = slices.DeleteFunc(kept, func(w string) bool { return slices.Contains(ignoredWords, w) })
	return cmp.Or(strings.Join(kept, " "), words)
}
