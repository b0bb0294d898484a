package words

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// Noun has the data of an object's name, shared by all objects with it. Fields that every candidate
// needs come first.
type Noun struct {
	// KeyHash and HeadHash are equal where the letters of the strings are.
	KeyHash, HeadHash uint8
	Vague             bool
	// Placeholder is true for words that stand in CC3M's captions for names: "biological species".
	Placeholder bool
	PluralOnly  bool
	// Plural is true for a plural that is a word of its own: "cows".
	Plural bool
	// Sayable is false for what no text should have: "t - shirt".
	Sayable bool
	// Sex and Age are as in persons.
	Sex, Age byte
	// An reports whether the article before it is "an".
	An     bool
	Person bool
	// Name is true for what is one of its kind by name.
	Name bool
	Kind truth.Kind
	// Sorts has a bit of each row of sorts that it is of.
	Sorts uint64
	// Implements has a bit of each class of implements that it is of, if it is of no kind and no sort.
	Implements uint8
	// Unsaid is set for nouns that captions rarely mention, Intangible for things that nobody can
	// touch.
	Unsaid, Intangible bool
	// Concrete is ten times how much of it can be seen and touched, from 10 to 70; Unseen is true for what nobody
	// can see: a "trade".
	Concrete uint8
	Unseen   bool
	// General is set if it fits everything of a kind: "vehicle".
	General bool
	// Mass is set for mass nouns.
	Mass    bool
	Setting truth.Setting
	// furnishing has the scenes that usually have it, or that it is; scenery and tableware are
	// classes of words.tsv.
	furnishing         truth.Furnishing
	Scenery, Tableware bool
	WornOn             truth.Part
	first              uint8 // hash of its first sense
	// senseBits and kindBits have the hashes of the senses and the kinds.
	senseBits, kindBits Names
	Senses              []lexicon.Synset
	// Kinds are what its first sense is or is a kind of. They follow on the senses in
	// memory.
	Kinds []lexicon.Synset
	Key   string // singular
	Hash  uint64 // of key
	// HeadID is the ID its head.
	HeadID uint64
	// Letters hashes the key as it is spelt in one word: "side walk" as "sidewalk".
	Letters uint64
	// Meaning is equal for nouns with one first sense: "sofa" and "couch". A compound without a
	// sense of its own in the lexicon ("picnic table") has its letters as meaning.
	Meaning uint64
	Head    string // its last word
	Usage   vocabulary.Uses
	Many    string // plural
	one     *Noun  // singular of key, nil until it is asked for
	Word    *Headword
	// beside are the roles that captions name beside it as other people; nil if it is no role: if
	// it has a sex or an age, or fits anybody.
	beside map[string]bool
	// Relations are the corpus's relations with it as subject, Suffers those with it as object, and Undergoes are Suffers without slips.
	Relations, Suffers, Undergoes []slots.Candidate
}

// Object returns the noun of an object.
func (w *Cache) Object(o *schemas.Object) NamedNoun {
	return rememberPair(w, w.names, o.Name, o.Head, (*Cache).describeName)
}

func (w *Cache) describeName(name, head string) NamedNoun {
	key, plural := grammar.NounKey(w.Inflect, name, head)
	return NamedNoun{w.Noun(key), plural, w.Headword(head)}
}

// Noun returns the noun with a key.
func (w *Cache) Noun(key string) *Noun { return rememberWord(w, w.nouns, key, (*Cache).describeNoun) }

func (w *Cache) describeNoun(key string) *Noun {
	n := &Noun{Key: key, Head: key[strings.LastIndexByte(key, ' ')+1:]}
	for _, set := range nounTraits {
		set(w, n)
	}
	w.Kept += WordSize
	return n
}

// IsSeen reports whether a noun names what can be seen, such as has a colour or a size: no "friendship", no "range".
func (n *Noun) IsSeen() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastSeen
}

// IsCounted reports whether a noun names what can be counted in a picture: no "tips", no "ways".
func (n *Noun) IsCounted() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastCounted
}

// A noun of no kind can be seen or counted if its concreteness is at least this. Nouns of unknown concreteness have 50.
const (
	leastSeen    = 46
	leastCounted = 55
)

// isThing reports whether a noun names a thing that is counted by its class: no material, food or
// weather.
func (w *Cache) isThing(n *Noun) bool {
	switch n.Kind {
	case truth.Food, truth.Drinks, truth.Weather:
		return false
	}
	return len(n.Senses) > 0 && !n.Mass && !n.Intangible && !n.isOneOf(w.Vocab.Kinds.Materials)
}

// isOneOf reports whether the first sense of a noun is one of some classes or a kind of one.
func (n *Noun) isOneOf(classes []lexicon.Synset) bool {
	return slices.ContainsFunc(classes, func(s lexicon.Synset) bool { return slices.Contains(n.Kinds, s) })
}

// Singular is the noun that n is the plural of, or n.
func (w *Cache) Singular(n *Noun) *Noun {
	if n.one == nil {
		n.one = w.Noun(w.Inflect.Singular(n.Key))
	}
	return n.one
}

// SameThing reports whether two nouns may name one thing: equal, with a sense
// in common, or one a kind of the other.
func SameThing(a, b *Noun) bool {
	if a == b || a.Letters == b.Letters || SamePerson(a, b) {
		return true
	}
	if a.senseBits.meets(&b.senseBits) {
		for _, s := range a.Senses {
			if slices.Contains(b.Senses, s) {
				return true
			}
		}
	}
	return isKind(a, b) || isKind(b, a) || a.HeadHash == b.HeadHash && a.Head == b.Head && (a.Key == a.Head || b.Key == b.Head)
}

// OfOneSort reports whether two nouns are of one sort.
func OfOneSort(a, b *Noun) bool { return a.Sorts&b.Sorts != 0 }

// BehaveAlike reports whether two things are on and in the same things: two people, two animals, or two of one sort.
func BehaveAlike(a, b *Noun) bool { return a.Alive() && a.Kind == b.Kind || OfOneSort(a, b) }

// Holds reports whether a noun names a thing on or in which others are, in distinction from surroundings, what is worn and
// what is seen in a picture.
func (n *Noun) Holds() bool {
	return n.IsCounted() && !n.Kind.Surrounds() && n.Kind != truth.Water
}

// AreTwoRoles reports whether a caption that relates two nouns speaks of people of two roles, neither of which is a kind of the
// other: "a police officer photographing a cyclist".
func AreTwoRoles(a, b *Noun) bool {
	return a.isRole() && b.isRole() && a.Head != b.Head && !isKind(a, b) && !isKind(b, a) && !slices.ContainsFunc(a.Senses, func(s lexicon.Synset) bool { return slices.Contains(b.Senses, s) })
}

// isRole reports whether a noun says what people do, and neither sex nor age.
func (n *Noun) isRole() bool {
	return n.Kind == truth.People && n.Sex == 0 && n.Age == 0 && !truth.IsAnybody(n.Head)
}

// isKind reports whether a's first sense is a kind of b's.
func isKind(a, b *Noun) bool {
	return a.kindBits.Has(b.first) && len(b.Senses) > 0 && slices.Contains(a.Kinds, b.Senses[0])
}

// Furnishes reports whether a place mostly has such a part.
func (n *Noun) Furnishes(place *Noun) bool { return n.furnishing.Part&place.furnishing.Place != 0 }

// Alive is true for people and animals.
func (n *Noun) Alive() bool { return n.Kind == truth.People || n.Kind == truth.Animals }

// Size returns the size of its kind.
func (n *Noun) Size() int { return n.Kind.Size() }

// Names is a set of small hashes.
type Names [4]uint64

func (s *Names) Add(hash uint8) { s[hash>>6] |= 1 << (hash & 63) }

func (s *Names) meets(t *Names) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

func (s *Names) Has(hash uint8) bool { return s[hash>>6]>>(hash&63)&1 != 0 }

// SamePerson reports whether two nouns may name the same people. Roles that captions name side
// by side are not: "a cook and a pilot".
func SamePerson(a, b *Noun) bool {
	return a.Kind == truth.People && b.Kind == truth.People && !OfOneSort(a, b) && !(a.beside[b.Head] && b.beside[a.Head]) && (a.Sex == 0 || b.Sex == 0 || a.Sex == b.Sex) && (a.Age == 0 || b.Age == 0 || a.Age == b.Age)
}

// Unbounded is true for places that do not exclude each other at a noun: what is on open ground, in
// water or in a mist may be by it, before or above it too, what is in trees behind or under them,
// what is on a wall next to it, and what is in the sky under it.
func (n *Noun) Unbounded(a, b truth.Place) bool {
	at := func(p truth.Place) bool { return p == truth.On || p == truth.In }
	if n.Head == "sky" {
		over := func(p truth.Place) bool { return at(p) || p == truth.Under || p == truth.Above }
		return over(a) && over(b)
	}
	switch in := a == truth.In || b == truth.In; {
	case n.Head == "mirror" && in && (a == truth.Before || b == truth.Before), wordclass.Has(" sun light spotlight ", n.Head) && in && (a == truth.Under || b == truth.Under):
		return true // who is seen in a mirror is in front of it
	}
	by := func(p truth.Place) bool {
		switch p {
		case truth.Beside, truth.Nearby:
			return wordclass.Has(open, n.Head) || n.Kind == truth.Openings
		case truth.Behind:
			return wordclass.Has(open, n.Head) || n.Kind == truth.Plants
		case truth.Under:
			return n.Kind == truth.Weather || n.Kind == truth.Plants
		case truth.Before, truth.Above:
			return n.Kind == truth.Land || n.Kind == truth.Water || n.Kind == truth.Weather
		}
		return false
	}
	return at(a) && by(b) || by(a) && at(b)
}

// IsNoun reports whether the lexicon has a noun as the name of a thing: no names, no parser's mistakes, and no vague nouns.
func IsNoun(n *Noun) bool { return len(n.Senses) > 0 && n.Sayable && !n.Vague && !n.Name }

// IsRareCompound is true for a name of several words that WordNet does not have, and the corpus less
// often than is no slip: "photo bicycle".
func (w *Cache) IsRareCompound(n *Noun) bool {
	return n.Key != n.Head && !w.Lexicon.IsNoun(n.Key) && w.Vocab.Named(n.Key) < vocabulary.NoSlip
}

// WornBeside is true for what is worn on a part of the body on which the other is not.
func (n *Noun) WornBeside(other *Noun) bool {
	return n.WornOn != truth.NoPart && n.WornOn != other.WornOn
}
