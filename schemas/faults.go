package schemas

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Faults yields descriptions of what is invalid in a graph of a text: empty names, relations
// without an object, offsets outside the text, and control characters, since the keys of counts
// separate names by tabs.
func (g *SceneGraph) Faults(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range g.Objects {
			if !g.Objects[i].faults(i, text, yield) {
				return
			}
		}
		for i := range g.Relations {
			if !g.Relations[i].faults(i, len(g.Objects), text, yield) {
				return
			}
		}
	}
}

// faults yields the faults of the object, whose index is number. It returns false if yield did.
func (o *Object) faults(number int, text string, yield func(string) bool) bool {
	if o.Name == "" && !yield(fmt.Sprintf("object %d has no name", number)) {
		return false
	}
	for _, s := range []string{o.Name, o.Head, o.Quantity} {
		if hasControl(s) && !yield(fmt.Sprintf("object %d has a control character in %q", number, s)) {
			return false
		}
	}
	if where := describeMisplaced(o.Begin, o.End, text); where != "" && !yield("object "+o.Name+where) {
		return false
	}
	for _, a := range o.Attributes {
		if a.Text == "" && !yield(fmt.Sprintf("an attribute of object %s says nothing", o.Name)) {
			return false
		}
		if hasControl(a.Text) && !yield(fmt.Sprintf("object %d has a control character in the attribute %q", number, a.Text)) {
			return false
		}
		if a.Form != Pre && a.Form != Post && !yield(fmt.Sprintf("the attribute %q of object %s has the form %q, neither pre nor post", a.Text, o.Name, a.Form)) {
			return false
		}
		if where := describeMisplaced(a.Begin, a.End, text); where != "" && !yield("attribute "+a.Text+where) {
			return false
		}
	}
	return true
}

// faults yields the faults of the relation, whose index is number, in a graph with so many objects.
// It returns false if yield did.
func (r *Relation) faults(number, objects int, text string, yield func(string) bool) bool {
	if r.Predicate == "" && !yield(fmt.Sprintf("relation %d has no predicate", number)) {
		return false
	}
	if r.Predicate != "" && r.Lemma == "" && !yield(fmt.Sprintf("relation %d, %q, has no lemma", number, r.Predicate)) {
		return false
	}
	for _, s := range []string{r.Predicate, r.Lemma} {
		if hasControl(s) && !yield(fmt.Sprintf("relation %d has a control character in %q", number, s)) {
			return false
		}
	}
	n := int32(objects)
	if (r.Subject < 0 || r.Subject >= n || r.Object < 0 || r.Object >= n || r.Subject == r.Object) &&
		!yield(fmt.Sprintf("relation %q leads from object %d to %d of %d", r.Predicate, r.Subject, r.Object, objects)) {
		return false
	}
	where := describeMisplaced(r.Begin, r.End, text)
	return where == "" || yield("relation "+r.Predicate+where)
}

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// describeMisplaced returns what is wrong with two offsets into a text, or "" if they delimit a
// piece of it or are NoOffset.
func describeMisplaced(begin, end int32, text string) string {
	switch {
	case begin == NoOffset && end == NoOffset:
		return ""
	case begin < 0 || begin > end || int(end) > len(text):
		return fmt.Sprintf(" is bytes %d to %d of a text of %d", begin, end, len(text))
	case splitsRune(text, begin) || splitsRune(text, end):
		return fmt.Sprintf(" is bytes %d to %d of the text, which cuts a character", begin, end)
	}
	return ""
}

// splitsRune reports whether an offset is inside a UTF-8 character. A byte that no character has is none.
func splitsRune(text string, at int32) bool {
	for begin := max(0, int(at)-utf8.UTFMax+1); begin < int(at); begin++ {
		if _, n := utf8.DecodeRuneInString(text[begin:]); begin+n > int(at) {
			return true
		}
	}
	return false
}
