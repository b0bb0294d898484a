package graphs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"capgraph/internal/annotated"
	"capgraph/schemas"
)

// The kinds of what an annotated graph says. Relations are counted with their words;
// Unlabelled are the same pairs without them.
const (
	AnchoredObject = iota
	AnchoredAttribute
	AnchoredQuantity
	AnchoredRelation
	Unlabelled
	anchoredKinds
)

var anchoredNames = [anchoredKinds]string{"objects", "attributes", "quantities", "relations", "unlabelled"}

// anchored is one thing that a graph says: of the object whose last word ends at the
// byte subject, and for relations of the one that ends at object.
type anchored struct {
	kind, subject, object int
	words                 string
}

// RowOf is the graph of a text as annotated graphs are read.
func RowOf(text string, p *schemas.Parsed) annotated.Row {
	r := annotated.Row{Text: text, Confidence: float64(p.Confidence)}
	for _, o := range p.Graph.Objects {
		x := annotated.Object{Name: o.Name, Begin: int(o.Begin), End: int(o.End)}
		x.Quantity.Text = o.Quantity
		for _, a := range o.Attributes {
			x.Attributes = append(x.Attributes, annotated.Attribute{Text: a.Text, Form: a.Form, Span: annotated.Span{Begin: int(a.Begin), End: int(a.End)}})
		}
		r.Objects = append(r.Objects, x)
	}
	for _, e := range p.Graph.Relations {
		r.Relations = append(r.Relations, annotated.Relation{Subject: int(e.Subject), Predicate: e.Predicate, Object: int(e.Object)})
	}
	return r
}

// anchoredOf is what r says, with its objects where ends has them.
func anchoredOf(r *annotated.Row, ends []int) map[anchored]bool {
	m := map[anchored]bool{}
	for i, o := range r.Objects {
		m[anchored{kind: AnchoredObject, subject: ends[i]}] = true
		for _, a := range o.Attributes {
			m[anchored{kind: AnchoredAttribute, subject: ends[i], words: bare(a.Text)}] = true
		}
		if o.Quantity.Text != "" {
			m[anchored{kind: AnchoredQuantity, subject: ends[i], words: bare(o.Quantity.Text)}] = true
		}
	}
	for _, e := range r.Relations {
		words := bare(e.Predicate)
		if words == "have" || words == "having" {
			words = "has"
		}
		m[anchored{AnchoredRelation, ends[e.Subject], ends[e.Object], words}] = true
		m[anchored{Unlabelled, ends[e.Subject], ends[e.Object], ""}] = true
	}
	return m
}

// endsOf is where the last word of each object of r ends, without a possessive.
func endsOf(r *annotated.Row) []int {
	ends := make([]int, len(r.Objects))
	for i, o := range r.Objects {
		ends[i] = o.End - possessive(o.Name)
	}
	return ends
}

// endsIn is where the objects of got end, as gold has it: one that ends where gold
// names one of its objects again is that object, unless an earlier one of got is it.
func endsIn(got, gold *annotated.Row) []int {
	ends, taken := endsOf(got), map[int]bool{}
	for _, e := range ends {
		taken[e] = true
	}
	first := endsOf(gold)
	for i := range ends {
		if slices.Contains(first, ends[i]) {
			continue
		}
		for k, o := range gold.Objects {
			named := slices.ContainsFunc(o.Mentions, func(m annotated.Span) bool {
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

// bare is what is compared of words: in lower case, without auxiliaries and articles
// where others are left.
func bare(words string) string {
	words = strings.ToLower(words)
	kept := strings.Fields(strings.ReplaceAll(words, "’", "'"))
	kept = slices.DeleteFunc(kept, func(w string) bool { return slices.Contains(unsaid, w) })
	return cmp.Or(strings.Join(kept, " "), words)
}

// triple is what t says, for people to read: an object is the word of text that ends
// it, with @2 where the same word stood before.
func (t anchored) triple(text string) Triple {
	switch s := wordAt(text, t.subject); t.kind {
	case AnchoredObject:
		return Triple{Subject: s}
	case AnchoredAttribute:
		return Triple{Subject: s, Predicate: "is", Object: t.words}
	case AnchoredQuantity:
		return Triple{Subject: s, Predicate: "is", Object: "× " + t.words}
	default:
		return Triple{Subject: s, Predicate: t.words, Object: wordAt(text, t.object)}
	}
}

func wordAt(text string, end int) string {
	if end <= 0 || end > len(text) {
		return "?"
	}
	before := strings.FieldsFunc(text[:end], func(r rune) bool { return strings.ContainsRune(" \t,;:.!?\"()", r) })
	if len(before) == 0 {
		return "?"
	}
	word, n := before[len(before)-1], 0
	for _, w := range before {
		if strings.EqualFold(w, word) {
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s@%d", word, n)
	}
	return word
}
