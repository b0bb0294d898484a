package truth

import (
	"capgraph/internal/lexicon/wordclass"
)

// The words for people, of exclusions.tsv those that say sex or age, and of truth.tsv those that do
// not.
var (
	persons = Exclusions["persons"]
	anybody = Truths["persons"]
)

// OfPeople reports whether a head is a word for people, and what it says of sex, m or f, and of age, c
// for a child and a for an adult; 0 if it says nothing of it.
func OfPeople(head string) (is bool, sex, age byte) {
	for i := range persons {
		if p := &persons[i]; wordclass.Has(p.Words, head) {
			return true, either(p.Others, "male", "female"), either(p.Others, "child", "adult")
		}
	}
	return anybody.With(head) != 0, 0, 0
}

// IsAnybody reports whether a head fits any person: "person".
func IsAnybody(head string) bool { return anybody.With(head) != 0 }

// either returns the first letter of the first of two words that is in a list, 0 if neither is.
func either(said, a, b string) byte {
	switch {
	case wordclass.Has(said, a):
		return a[0]
	case wordclass.Has(said, b):
		return b[0]
	}
	return 0
}
