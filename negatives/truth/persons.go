package truth

import (
	"capgraph/internal/lexicon/wordclass"
)

// Words for people: persons has those that tell sex or age, anybody those that tell neither.
var (
	persons = Exclusions["persons"]
	anybody = Truths["persons"]
)

// OfPeople reports whether a head is a word for people. sex is 'm' or 'f', and age is 'c' for a
// child and 'a' for an adult; 0 if the word does not tell.
func OfPeople(head string) (is bool, sex, age byte) {
	for i := range persons {
		if p := &persons[i]; wordclass.Has(p.Words, head) {
			return true, either(p.Others, "male", "female"), either(p.Others, "child", "adult")
		}
	}
	return anybody.RowsWith(head) != 0, 0, 0
}

// IsAnybody reports whether a head can name any person, as "person" does.
func IsAnybody(head string) bool { return anybody.RowsWith(head) != 0 }

// either returns the first letter of the first of the words a and b that is in said, or 0.
func either(said, a, b string) byte {
	switch {
	case wordclass.Has(said, a):
		return a[0]
	case wordclass.Has(said, b):
		return b[0]
	}
	return 0
}
