package schemas

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
)

// Faults says what no graph may have whose offsets index a text of length bytes:
// what has no name, what leads nowhere, and control characters: the keys of
// counts separate names by tabs.
func (g *SceneGraph) Faults(length int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range g.Objects {
			if !g.Objects[i].faults(i, length, yield) {
				return
			}
		}
		for i := range g.Relations {
			if !g.Relations[i].faults(i, len(g.Objects), length, yield) {
				return
			}
		}
	}
}

// faults gives the faults of the object with that number. It is false where
// yield was.
func (o *Object) faults(number, length int, yield func(string) bool) bool {
	if o.Name == "" && !yield(fmt.Sprintf("object %d has no name", number)) {
		return false
	}
	for _, s := range []string{o.Name, o.Head, o.Quantity} {
		if control(s) && !yield(fmt.Sprintf("object %d has a control character in %q", number, s)) {
			return false
		}
	}
	if !within(o.Begin, o.End, length) && !yield(nowhere("object "+o.Name, o.Begin, o.End, length)) {
		return false
	}
	for _, a := range o.Attributes {
		if a.Text == "" && !yield(fmt.Sprintf("an attribute of object %s says nothing", o.Name)) {
			return false
		}
		if control(a.Text) && !yield(fmt.Sprintf("object %d has a control character in the attribute %q", number, a.Text)) {
			return false
		}
		if a.Form != Pre && a.Form != Post && !yield(fmt.Sprintf("the attribute %q of object %s has the form %q, neither pre nor post", a.Text, o.Name, a.Form)) {
			return false
		}
		if !within(a.Begin, a.End, length) && !yield(nowhere("attribute "+a.Text, a.Begin, a.End, length)) {
			return false
		}
	}
	return true
}

// faults gives the faults of the relation with that number, between objects of
// which there are so many. It is false where yield was.
func (r *Relation) faults(number, objects, length int, yield func(string) bool) bool {
	if r.Predicate == "" && !yield(fmt.Sprintf("relation %d has no predicate", number)) {
		return false
	}
	if r.Predicate != "" && r.Lemma == "" && !yield(fmt.Sprintf("relation %d, %q, has no lemma", number, r.Predicate)) {
		return false
	}
	for _, s := range []string{r.Predicate, r.Lemma} {
		if control(s) && !yield(fmt.Sprintf("relation %d has a control character in %q", number, s)) {
			return false
		}
	}
	n := int32(objects)
	if (r.Subject < 0 || r.Subject >= n || r.Object < 0 || r.Object >= n || r.Subject == r.Object) &&
		!yield(fmt.Sprintf("relation %q leads from object %d to %d of %d", r.Predicate, r.Subject, r.Object, objects)) {
		return false
	}
	return within(r.Begin, r.End, length) || yield(nowhere("relation "+r.Predicate, r.Begin, r.End, length))
}

func control(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// within tells whether offsets lie in a text of that length, or are none.
func within(begin, end int32, length int) bool {
	return begin == NoOffset && end == NoOffset || 0 <= begin && begin <= end && int(end) <= length
}

func nowhere(of string, begin, end int32, length int) string {
	return fmt.Sprintf("%s is bytes %d to %d of a text of %d", of, begin, end, length)
}
