package plausible

import (
	"capgraph/negatives/words"
)

// Claim is the new statement of a negative, for the judge.
type Claim struct {
	// Was is the replaced noun, Is its replacement; nil if no noun was replaced.
	Was, Is *words.Noun
	Facts   []Fact
	Traits  []Trait
	// Settled is set if both things are of one sort and in no relation: everything about the one
	// can be true of the other.
	Settled bool
	// Certain is true for an exchange, which is false whatever is likely. It is not judged, but for
	// what the corpus lacks.
	Certain bool
	Deed    *Deed         // around the verb that another replaced, nil if none was
	Action  *words.Action // that other
}

// Fact is a relation between two nouns, and the relation that it replaces; they are equal if a noun
// is new, and comes is set if that is the subject.
type Fact struct {
	Subject, Object *words.Noun
	Is, Was         *words.Relation
	Comes           bool
}

// Trait is an attribute of a noun, and the one that it replaces; nil if the noun is new.
type Trait struct {
	Noun    *words.Noun
	Is, Was *words.Property
}

// Relates adds a fact in which a noun comes.
func (c *Claim) Relates(n, other *words.Noun, r *words.Relation, object bool) {
	f := Fact{n, other, r, r, true}
	if object {
		f = Fact{other, n, r, r, false}
	}
	c.Facts = append(c.Facts, f)
}

// Deed is a verb with its surroundings in a caption.
type Deed struct {
	*words.Action
	// Subject is the noun before it.
	Subject *words.Noun
	// Object follows the verb, nil if that is no noun. TakesObject is set if the verb needs one,
	// HasObject also if it follows a particle.
	Object                 *words.Noun
	TakesObject, HasObject bool
	// Place follows a preposition, and way one after the object; nil if the corpus
	// says too little of them.
	Place, Way *words.Noun
	In, Along  string      // the prepositions
	Out        bool        // "out" follows it
	After      *words.Noun // follows any preposition
}
