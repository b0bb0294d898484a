package negatives

// The words for people, of exclusions.tsv those that say sex or age, and of truth.tsv those that do not.
var (
	persons = exclusions["persons"]
	anybody = truths["persons"]
)

// ofPeople says whether a head is a word for people, and what it says of sex, m or f, and of age, c
// for a child and a for an adult; 0 where it says nothing of it.
func ofPeople(head string) (is bool, sex, age byte) {
	for i := range persons {
		if p := &persons[i]; contains(p.words, head) {
			return true, either(p.others, "male", "female"), either(p.others, "child", "adult")
		}
	}
	return anybody.with(head) != 0, 0, 0
}

// either is the first letter of the one of two words that is said, 0 where neither is.
func either(said, a, b string) byte {
	switch {
	case contains(said, a):
		return a[0]
	case contains(said, b):
		return b[0]
	}
	return 0
}

// samePerson holds where two nouns may be said of the same people.
func samePerson(a, b *noun) bool {
	return a.kind == people && b.kind == people && !ofOneSort(a, b) && (a.sex == 0 || b.sex == 0 || a.sex == b.sex) && (a.age == 0 || b.age == 0 || a.age == b.age)
}
