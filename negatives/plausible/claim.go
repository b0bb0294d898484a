package plausible

import (
	"capgraph/negatives/words"
)

// Claim is what a negative states that its positive does not, for the judge.
type Claim struct {
	// Was is the replaced noun, Is its replacement; nil if no noun was replaced.
	Was, Is *words.Noun
	Facts   []Fact
	Traits  []Trait
	// Settled is set if both things are of one sort and in no relation: then everything true of the
	// one may be true of the other.
	Settled bool
	// Certain is set for an exchange, which is false however likely it is. Only attributes that the
	// corpus lacks with a noun are judged then.
	Certain bool
	Deed    *Deed         // the replaced verb with its surroundings; nil if no verb was replaced
	Action  *words.Action // that other
}

// Fact is a relation Is between two nouns, and the relation Was that it replaces. If a noun is new,
// both are equal, and Comes is set if the new noun is the subject.
type Fact struct {
	Subject, Object *words.Noun
	Is, Was         *words.Relation
	Comes           bool
}

// Trait is an attribute Is of a noun, and the attribute Was that it replaces; nil if the noun is
// new.
type Trait struct {
	Noun    *words.Noun
	Is, Was *words.Property
}

// AddFact adds the fact that the new noun n has a relation with another. object is set if n is its
// object.
func (c *Claim) AddFact(n, other *words.Noun, r *words.Relation, object bool) {
	f := Fact{n, other, r, r, true}
	if object {
		f = Fact{other, n, r, r, false}
	}
	c.Facts = append(c.Facts, f)
}

// Deed is a verb with the words around it in a caption.
type Deed struct {
	*words.Action
	// Subject is the noun before the verb.
	Subject *words.Noun
	// Object is the noun after the verb, or nil. TakesObject is set if an object follows the verb,
	// and HasObject also if one follows its particle.
	Object                 *words.Noun
	TakesObject, HasObject bool
	// Place is the noun after the verb and a preposition, and Way the noun after its object and a
	// preposition; nil if the corpus has too little about them.
	Place, Way *words.Noun
	In, Along  string      // the prepositions
	Out        bool        // "out" follows it
	After      *words.Noun // follows any preposition
}
