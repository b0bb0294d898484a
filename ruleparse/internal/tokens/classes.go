package tokens

import "capgraph/internal/lexicon/wordclass"

// In reports whether t, in lower case, is a word of a class (see package wordclass).
func (t *Token) In(class string) bool { return wordclass.Has(class, t.Low) }

// WordNet's lexicographer files of nouns that rules tell apart.
const (
	ClassAct       = 4
	ClassAnimal    = 5
	ClassArtifact  = 6
	ClassAttribute = 7
	ClassBody      = 8
	ClassCognition = 9
	ClassEvent     = 11
	ClassFeeling   = 12
	ClassGroup     = 14
	ClassPerson    = 18
	ClassState     = 26
)

// namesakes are things whose first sense in WordNet is a person, an animal or a group.
var namesakes = wordclass.Of("namesakes")

// Person reports whether a token names one. WordNet has "person" itself among the
// kinds of things, and "locals" among trains.
func (t *Token) Person() bool {
	return t.Class == ClassPerson && !t.In(namesakes) || t.In(" locals person persons ")
}

// Alive reports whether a token names a person, an animal or a group.
func (t *Token) Alive() bool {
	lives := t.Class == ClassAnimal || t.Class == ClassGroup
	return t.Person() || lives && !t.In(namesakes) || t.In(" animal animals ")
}
