package annotated

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/schemas"
)

// The kinds of what an annotated graph says. Relations are counted with their words;
// UnlabelledTuple are the same pairs without them.
const (
	ObjectTuple = iota
	AttributeTuple
	QuantityTuple
	RelationTuple
	UnlabelledTuple
	TupleKinds
)

// TupleNames are what the kinds are called.
var TupleNames = [TupleKinds]string{"objects", "attributes", "quantities", "relations", "unlabelled"}

// Tuple is one thing that a graph says: of the object whose last word ends at the
// byte subject, and for relations of the one that ends at object.
type Tuple struct {
	Kind, Subject, Object int
	Words                 string
}

// RowOf is the graph of a text as annotated graphs are read.
func RowOf(text string, p *schemas.Parsed) Row {
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

// Tuples are what r says, with its objects where ends has them.
func Tuples(r *Row, ends []int) map[Tuple]bool {
	m := map[Tuple]bool{}
	for i, o := range r.Objects {
		m[Tuple{Kind: ObjectTuple, Subject: ends[i]}] = true
		for _, a := range o.Attributes {
			m[Tuple{Kind: AttributeTuple, Subject: ends[i], Words: bare(a.Text)}] = true
		}
		if o.Quantity.Text != "" {
			m[Tuple{Kind: QuantityTuple, Subject: ends[i], Words: bare(o.Quantity.Text)}] = true
		}
	}
	for _, e := range r.Relations {
		words := bare(e.Predicate)
		if words == "have" || words == "having" {
			words = "has"
		}
		m[Tuple{RelationTuple, ends[e.Subject], ends[e.Object], words}] = true
		m[Tuple{UnlabelledTuple, ends[e.Subject], ends[e.Object], ""}] = true
	}
	return m
}

// Ends is where the last word of each object of r ends, without a possessive.
func Ends(r *Row) []int {
	ends := make([]int, len(r.Objects))
	for i, o := range r.Objects {
		ends[i] = o.End - possessive(o.Name)
	}
	return ends
}

// EndsIn is where the objects of got end, as gold has it: one that ends where gold
// names one of its objects again is that object, unless an earlier one of got is it.
func EndsIn(got, gold *Row) []int {
	ends, taken := Ends(got), map[int]bool{}
	for _, e := range ends {
		taken[e] = true
	}
	first := Ends(gold)
	for i := range ends {
		if slices.Contains(first, ends[i]) {
			continue
		}
		for k, o := range gold.Objects {
			named := slices.ContainsFunc(o.Mentions, func(m Span) bool {
				return m.Begin >= 0 && m.End-possessive(gold.Text[m.Begin:m.End]) == ends[i]
			})
			if named && !taken[first[k]] {
				ends[i], taken[first[k]] = first[k], true
				break
			}
		}
	}
	return ends
}

// possessive is how many bytes of 's end a name.
func possessive(name string) int {
	name = strings.ToLower(name)
	for _, s := range []string{"'s", "’s", "'", "’"} {
		if strings.HasSuffix(name, s) {
			return len(s)
		}
	}
	return 0
}

// unsaid are words that make no difference to a predicate.
var unsaid = strings.Fields("is are was were be been being a an the am 's 're")

// bare is what is compared of Words: in lower case, without auxiliaries and articles
// where others are left.
func bare(words string) string {
	words = strings.ToLower(words)
	kept := strings.Fields(strings.ReplaceAll(words, "’", "'"))
	kept = slices.DeleteFunc(kept, func(w string) bool { return slices.Contains(unsaid, w) })
	return cmp.Or(strings.Join(kept, " "), words)
}
