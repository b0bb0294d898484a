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

// Noun describes a noun, the name of objects. All objects with the name share it. Fields that every candidate needs
// come first.
type Noun struct {
	// KeyHash and HeadHash are hashes of key and head, without spaces and hyphens.
	KeyHash, HeadHash uint8
	Vague             bool
	// Placeholder is set for words that replace names in CC3M's captions: "biological species".
	Placeholder bool
	PluralOnly  bool
	// Plural is set for a plural that is a noun of its own: "cows".
	Plural bool
	// Sayable is false for nouns that no text should have: "t - shirt".
	Sayable bool
	// Sex and Age are those that truth.OfPeople returns.
	Sex, Age byte
	// An is set if the article before it is "an".
	An     bool
	Person bool
	// Name is set for a noun that is always a proper name.
	Name bool
	Kind truth.Kind
	// Sorts has a bit for each row of the table sorts that has it.
	Sorts uint64
	// Implements has a bit for each class of implements to which it belongs. Nouns with a kind or a sort have none.
	Implements uint8
	// Unsaid is set for nouns that captions rarely mention, Intangible for things that cannot be touched.
	Unsaid, Intangible bool
	// Concrete is ten times its concreteness, from 10 to 70. Unseen is set for things that cannot be seen: a "trade".
	Concrete uint8
	Unseen   bool
	// General is set if it can name anything of a kind: "vehicle".
	General bool
	// Mass is set for mass nouns.
	Mass    bool
	Setting truth.Setting
	// furnishing has the scenes that usually have it, and those that it is. Scenery and Tableware are set for nouns of
	// the lists of those names.
	furnishing         truth.Furnishing
	Scenery, Tableware bool
	WornOn             truth.Part
	first              uint8 // hash of its first sense
	// senseBits and kindBits have hashes of Senses and Kinds, for a fast test.
	senseBits, kindBits Names
	Senses              []lexicon.Synset
	// Kinds are its first sense and all hypernyms of that. They follow Senses in memory.
	Kinds []lexicon.Synset
	Key   string // singular
	Hash  uint64 // of key
	// HeadID is the grammar.ID of Head.
	HeadID uint64
	// Letters is a hash of Key written as one word: "side walk" as "sidewalk".
	Letters uint64
	// Meaning is equal for nouns with the same first sense: "sofa" and "couch". For a compound without a sense of its
	// own ("picnic table") it is Letters.
	Meaning uint64
	Head    string // its last word
	Usage   vocabulary.Uses
	Many    string // plural
	one     *Noun  // singular of Key; nil until needed
	Word    *Headword
	// beside are the roles that captions name as other people beside this role. It is nil for other nouns: those for a
	// sex, an age or any person.
	beside map[string]bool
	// Relations are the relations that the corpus has with it as the subject, Suffers those with it as the object, and
	// Undergoes are Suffers without mistakes.
	Relations, Suffers, Undergoes []slots.Candidate
}

// Object returns the noun of an object of a graph.
func (w *Cache) Object(o *schemas.Object) NamedNoun {
	return rememberPair(w, w.names, o.Name, o.Head, (*Cache).describeName)
}

func (w *Cache) describeName(name, head string) NamedNoun {
	key, plural := grammar.NounKey(w.Inflect, name, head)
	return NamedNoun{w.Noun(key), plural, w.Headword(head)}
}

// Noun returns the noun with a key: its singular name.
func (w *Cache) Noun(key string) *Noun { return rememberWord(w, w.nouns, key, (*Cache).describeNoun) }

func (w *Cache) describeNoun(key string) *Noun {
	n := &Noun{Key: key, Head: key[strings.LastIndexByte(key, ' ')+1:]}
	for _, set := range nounTraits {
		set(w, n)
	}
	w.Kept += WordSize
	return n
}

// IsSeen reports whether a noun names something visible, which can have a colour or a size: no "friendship", no
// "range".
func (n *Noun) IsSeen() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastSeen
}

// IsCounted reports whether a noun names something that can be counted in a picture: no "tips", no "ways".
func (n *Noun) IsCounted() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastCounted
}

// A noun without a kind needs at least this concreteness to be visible or countable. Nouns of unknown concreteness have
// 50.
const (
	leastSeen    = 46
	leastCounted = 55
)

// isThing reports whether a noun is countable by its class: not a material, food or weather.
func (w *Cache) isThing(n *Noun) bool {
	switch n.Kind {
	case truth.Food, truth.Drinks, truth.Weather:
		return false
	}
	return len(n.Senses) > 0 && !n.Mass && !n.Intangible && !n.isOneOf(w.Vocab.Kinds.Materials)
}

// isOneOf reports whether the first sense of a noun is one of the classes or a hyponym of one.
func (n *Noun) isOneOf(classes []lexicon.Synset) bool {
	return slices.ContainsFunc(classes, func(s lexicon.Synset) bool { return slices.Contains(n.Kinds, s) })
}

// Singular returns the noun of which n is the plural, or n itself.
func (w *Cache) Singular(n *Noun) *Noun {
	if n.one == nil {
		n.one = w.Noun(w.Inflect.Singular(n.Key))
	}
	return n.one
}

// SameThing reports whether two nouns may name the same thing: they are equal, have a sense in common, or one is a kind
// of the other.
func SameThing(a, b *Noun) bool {
	if a == b || a.Letters == b.Letters || MayBeSamePerson(a, b) {
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

// OfOneSort reports whether the table sorts has two nouns in the same row: "cat" and "dog".
func OfOneSort(a, b *Noun) bool { return a.Sorts&b.Sorts != 0 }

// BehaveAlike reports whether two things may be on and in the same things: two people, two animals, or two things of
// one sort.
func BehaveAlike(a, b *Noun) bool { return a.Alive() && a.Kind == b.Kind || OfOneSort(a, b) }

// CanHoldThings reports whether other things may be on or in a thing. It is false for surroundings, clothes and
// pictures.
func (n *Noun) CanHoldThings() bool {
	return n.IsCounted() && !n.Kind.Surrounds() && n.Kind != truth.Water
}

// AreTwoRoles reports whether two nouns are for people in different roles, so that they name two people: "a police
// officer photographing a cyclist".
func AreTwoRoles(a, b *Noun) bool {
	return a.isRole() && b.isRole() && a.Head != b.Head && !isKind(a, b) && !isKind(b, a) && !slices.ContainsFunc(a.Senses, func(s lexicon.Synset) bool { return slices.Contains(b.Senses, s) })
}

// isRole reports whether a noun is for people in a role, not of a sex or an age: "cyclist".
func (n *Noun) isRole() bool {
	return n.Kind == truth.People && n.Sex == 0 && n.Age == 0 && !truth.IsAnybody(n.Head)
}

// isKind reports whether the first sense of a is the first sense of b or a hyponym of it.
func isKind(a, b *Noun) bool {
	return a.kindBits.Has(b.first) && len(b.Senses) > 0 && slices.Contains(a.Kinds, b.Senses[0])
}

// Furnishes reports whether most places such as place have one of n: a kitchen has a sink.
func (n *Noun) Furnishes(place *Noun) bool { return n.furnishing.Part&place.furnishing.Place != 0 }

// Alive reports whether a noun is for people or animals.
func (n *Noun) Alive() bool { return n.Kind == truth.People || n.Kind == truth.Animals }

// Size returns the usual size of things of the noun's kind: truth.Small to truth.Vast.
func (n *Noun) Size() int { return n.Kind.Size() }

// Names is a set of hashes of one byte.
type Names [4]uint64

func (s *Names) Add(hash uint8) { s[hash>>6] |= 1 << (hash & 63) }

func (s *Names) meets(t *Names) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

func (s *Names) Has(hash uint8) bool { return s[hash>>6]>>(hash&63)&1 != 0 }

// MayBeSamePerson reports whether two nouns may name the same person. It is false for roles that captions name side by side:
// "a cook and a pilot".
func MayBeSamePerson(a, b *Noun) bool {
	return a.Kind == truth.People && b.Kind == truth.People && !OfOneSort(a, b) && !(a.beside[b.Head] && b.beside[a.Head]) && (a.Sex == 0 || b.Sex == 0 || a.Sex == b.Sex) && (a.Age == 0 || b.Age == 0 || a.Age == b.Age)
}

// AllowsBothPlaces reports whether a thing can be at both places relative to a noun at once. Things on open ground, in
// water or in a mist may also be beside, in front of or above it; things in trees also behind or under them; things on
// a wall next to it; and things in the sky under it.
func (n *Noun) AllowsBothPlaces(a, b truth.Place) bool {
	at := func(p truth.Place) bool { return p == truth.On || p == truth.In }
	if n.Head == "sky" {
		over := func(p truth.Place) bool { return at(p) || p == truth.Under || p == truth.Above }
		return over(a) && over(b)
	}
	switch in := a == truth.In || b == truth.In; {
	case n.Head == "mirror" && in && (a == truth.Before || b == truth.Before), wordclass.Has(" sun light spotlight ", n.Head) && in && (a == truth.Under || b == truth.Under):
		return true // somebody in a mirror is in front of it
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

// IsNoun reports whether a noun is one of the lexicon and names things: no proper names, no parser errors, no vague
// nouns.
func IsNoun(n *Noun) bool { return len(n.Senses) > 0 && n.Sayable && !n.Vague && !n.Name }

// IsRareCompound reports whether a noun has several words, is not in WordNet, and is rare in the corpus: "photo
// bicycle".
func (w *Cache) IsRareCompound(n *Noun) bool {
	return n.Key != n.Head && !w.Lexicon.IsNoun(n.Key) && w.Vocab.Named(n.Key) < vocabulary.NoSlip
}

// WornBeside reports whether n is worn on a part of the body on which other is not worn.
func (n *Noun) WornBeside(other *Noun) bool {
	return n.WornOn != truth.NoPart && n.WornOn != other.WornOn
}
