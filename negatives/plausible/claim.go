package plausible

import (
	"capgraph/negatives/words"
)

// Claim is what a negative says that its positive does not, for the judge.
type Claim struct {
	// Was is the noun that another replaced, is that other; nil if no noun was.
	Was, Is *words.Noun
	Facts   []Fact
	Traits  []Trait
	// Settled is true for a thing of one sort with another that is in no relation: what is said of the
	// one can be said of the other.
	Settled bool
	// Certain is true for an exchange, which is false whatever is likely. It is not judged, but for
	// what the corpus lacks.
	Certain bool
	Deed    *Deed         // around the verb that another replaced, nil if none was
	Action  *words.Action // that other
}

// Fact is a relation of one noun to another, and the one that was said instead; they are
// the same where a noun is new, and comes reports whether that is the subject.
type Fact struct {
	Subject, Object *words.Noun
	Is, Was         *words.Relation
	Comes           bool
}

// Trait is an attribute of a noun, and the one that was said instead; nil if the noun is
// new.
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

// Deed is what a caption says around a verb.
type Deed struct {
	*words.Action
	// Subject is the noun before it.
	Subject *words.Noun
	// Object is what follows it, nil if that is no noun; TakesObject holds where it
	// must have one, and HasObject also where that follows a particle.
	Object                 *words.Noun
	TakesObject, HasObject bool
	// Place follows a preposition, and way one after the object; nil if the corpus
	// says too little of them.
	Place, Way *words.Noun
	In, Along  string      // the prepositions
	Out        bool        // "out" follows it
	After      *words.Noun // follows any preposition
}
