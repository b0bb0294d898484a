package words

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

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
	// Relations are the corpus's relations with it as subject, Suffers those with it as object, and
	// undergoes those of Suffers that are no slips.
	Relations, Suffers, Undergoes []slots.Candidate
}

// usual corrects how the corpus uses a noun where its counts mislead.
func usual(head string, u vocabulary.Uses) vocabulary.Uses {
	all := max(1, u.A+u.The+u.Bare+u.First)
	switch {
	case wordclass.Has(masses, head):
		return vocabulary.Uses{Bare: all}
	case wordclass.Has(countables, head):
		return vocabulary.Uses{A: all, Plural: u.Plural}
	case wordclass.Has(definites, head):
		return vocabulary.Uses{The: all, Plural: u.Plural / 4}
	case u.A+u.Bare+u.Plural == 0: // "Graffiti", known by its beginning alone
		u.Bare = u.First
	}
	return u
}

// Object gives the noun of an object.
func (w *Cache) Object(o *schemas.Object) NamedNoun {
	id := grammar.ID(o.Name, o.Head)
	if n, ok := w.names[id]; ok {
		return n
	}
	key, plural := grammar.NounKey(w.Inflect, o)
	n := NamedNoun{w.Noun(key), plural, w.Headword(o.Head)}
	w.Kept += WordSize
	w.names[id] = n
	return n
}

var inOneWord = strings.NewReplacer(" ", "", "-", "")

// Noun gives the noun with a key.
func (w *Cache) Noun(key string) *Noun {
	if n, ok := w.nouns[key]; ok {
		return n
	}
	key = strings.Clone(key)
	n := &Noun{
		Key: key, Head: key[strings.LastIndexByte(key, ' ')+1:], Many: w.Inflect.Plural(key),
		Senses: w.Lexicon.NounSenses(key), PluralOnly: w.Inflect.IsPluralOnly(key),
		Sayable: grammar.Sayable(key), An: lexicon.Article(key) == "an",
	}
	n.Hash, n.HeadID = xxhash.Sum64String(key), grammar.ID(n.Head)
	n.Letters = xxhash.Sum64String(inOneWord.Replace(key))
	if n.Meaning = n.Letters; len(n.Senses) > 0 && (key == n.Head || !slices.Equal(n.Senses, w.Lexicon.NounSenses(n.Head))) {
		n.Meaning = uint64(n.Senses[0])
	}
	n.KeyHash, n.HeadHash = uint8(n.Letters), uint8(xxhash.Sum64String(inOneWord.Replace(n.Head)))
	n.Sorts = sortsOf(key)
	n.Word = w.Headword(n.Head)
	n.Relations, n.Suffers = vocabulary.WithoutSlips(w.ofNoun(vocabulary.RelationFrom, n)), w.ofNoun(vocabulary.RelationTo, n)
	n.Undergoes = vocabulary.Often(vocabulary.WithoutSlips(n.Suffers), slipped*vocabulary.Total(n.Suffers))
	n.Plural = w.isPlural(n.Head, w.Inflect.Singular(n.Head))
	if n.Plural || w.isPlural(n.Head, strings.TrimSuffix(n.Head, "s")) { // "pies", of which Singular makes "py"
		n.Many = key
	}
	n.Placeholder = wordclass.Has(placeholders, n.Head) || strings.HasPrefix(key, "biological ") || strings.HasPrefix(key, "geographical feature")
	n.Vague = wordclass.Has(Vague, n.Key) || wordclass.Has(Vague, n.Head) || n.Placeholder
	if count := len(n.Senses); count > 0 {
		n.Senses = w.foodFirst(n)
		all := w.Lexicon.Ancestors(n.Senses[0], append(slices.Clone(n.Senses), n.Senses[0]))
		n.Senses, n.Kinds = all[:count], all[count:]
		n.first = uint8(n.Senses[0])
		for _, s := range n.Senses {
			n.senseBits.Add(uint8(s))
		}
		for _, k := range n.Kinds {
			n.kindBits.Add(uint8(k))
			n.Person = n.Person || k == w.Vocab.Kinds.Person
		}
	}
	_, n.Sex, n.Age = truth.OfPeople(n.Head)
	n.Kind, n.Unsaid, n.Setting = w.Vocab.Kinds.Of(n.Head, n.Senses), truth.Unsaid.With(n.Head) != 0, truth.SettingOf(n.Head)
	n.Person = n.Person && n.Kind == truth.People
	n.Name = w.isName(n)
	if n.Kind == 0 && n.Sorts == 0 {
		for i := range w.Vocab.Kinds.Implements {
			if n.isOneOf(w.Vocab.Kinds.Implements[i:][:1]) {
				n.Implements |= 1 << i
			}
		}
	}
	if n.isRole() {
		n.beside = w.Vocab.SideBySide(n.Head)
	}
	n.Mass = wordclass.Has(masses, n.Head)
	n.Intangible = n.Kind == 0 && w.Lexicon.IsIntangible(key) && !wordclass.Has(touched, n.Head)
	concrete, known := concretenessOf(key, n.Head)
	n.Concrete, n.Unseen = concrete, known && key == n.Head && n.Intangible && concrete <= leastConcrete
	n.Usage = usual(n.Head, w.usageOf(n))
	n.furnishing, n.Scenery, n.Tableware, n.WornOn = truth.FurnishingOf(n.Head), truth.Scenery.With(n.Head) != 0, wordclass.Has(tableware, n.Head), truth.WornOn(n.Head)
	switch n.Kind {
	case truth.People, truth.Animals, truth.Vehicles, truth.Furniture, truth.Structures, truth.Interiors, truth.Ways: // a "studio", which some corpora have bare
		if u := n.Usage; !n.Mass && (u.Mass() || u.A == 0 && u.Bare+u.First > 0) {
			n.Usage = vocabulary.Uses{A: u.Bare + u.First, Plural: u.Plural}
		}
	}
	if n.Usage.A == 0 {
		if bare := max(1, n.Usage.Bare+n.Usage.First); w.isCounted(n) {
			n.Usage.A = bare
		} else if n.Usage == (vocabulary.Uses{}) && w.Vocab.DropsArticles() { // which would be taken for countable
			n.Usage.Bare = bare
		}
	}
	n.General = n.Kind.General(n.Key) || n.Kind != 0 && wordclass.Has(meals, n.Head)
	w.Kept += WordSize
	w.nouns[key] = n
	return n
}

// leastConcrete is how concrete a noun of no kind is at most that nobody can see.
const leastConcrete = 40

// IsSeen reports whether a noun names what can be seen, such as has a colour or a size: no "friendship", no "range".
func (n *Noun) IsSeen() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastSeen
}

// IsCounted reports whether a noun names what can be counted in a picture: no "tips", no "ways".
func (n *Noun) IsCounted() bool {
	return n.Kind != 0 || !n.Intangible && n.Concrete >= leastCounted
}

// leastSeen and leastCounted are how concrete a noun of no kind is at least that can be seen and counted. One of
// which that is not known has 50.
const (
	leastSeen    = 46
	leastCounted = 55
)

// isPlural is true for a word that is the plural of a noun: "cows" of "cow".
func (w *Cache) isPlural(word, one string) bool {
	return one != word && len(one) > 2 && !w.Inflect.IsPluralOnly(word) && w.Inflect.Plural(one) == word && len(w.Lexicon.NounSenses(one)) > 0
}

// isCounted reports whether a noun that nobody has with "a" takes it: one that captions mostly have
// in the plural ("cookies"), and a device, a container, an implement or a platform that they seldom
// have ("a kettle"). In a corpus that leaves articles out, any thing is counted that no other captions
// have without an article ("a wallet"). A material and what is said of many at once take none
// ("denim", "stemware").
func (w *Cache) isCounted(n *Noun) bool {
	bare := n.Usage.Bare + n.Usage.First
	switch {
	case n.Mass || n.PluralOnly || n.Many == n.Key || wordclass.Has(definites, n.Head):
		return false
	case n.Usage.Plural > bare:
		return true
	case bare >= vocabulary.Few || wordclass.Has(collective, n.Head) || strings.HasSuffix(n.Head, "ware") || strings.HasSuffix(n.Head, "wear") || strings.HasSuffix(n.Head, "ing"):
		return false
	case n.isOneOf(w.Vocab.Kinds.Implements):
		return true
	}
	return bare == 0 && w.Vocab.DropsArticles() && w.isThing(n)
}

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

// usageOf returns how the corpus uses a noun, or if it has a compound too rarely to tell, how it uses
// its head: "a ski pole".
func (w *Cache) usageOf(n *Noun) vocabulary.Uses {
	usage := w.Vocab.UsageOf
	if w.isThing(n) {
		usage = w.Vocab.UsageOfThing
	}
	u := usage(n.Key)
	if n.Head != n.Key && u.Sum() < vocabulary.Few {
		if head := usage(n.Head); head.Sum() > u.Sum() {
			return head
		}
	}
	return u
}

// foodFirst gives the senses of a noun, of what is food first that as which it is:
// "banana" is first a plant.
func (w *Cache) foodFirst(n *Noun) []lexicon.Synset {
	if w.Vocab.Kinds.Of(n.Head, n.Senses) != truth.Food {
		return n.Senses
	}
	for i, sense := range n.Senses {
		for _, s := range w.Lexicon.Ancestors(sense, []lexicon.Synset{sense}) {
			if w.Vocab.Kinds.OfSynset[s] == truth.Food {
				return slices.Concat(n.Senses[i:i+1], n.Senses[:i], n.Senses[i+1:])
			}
		}
	}
	return n.Senses
}

// ofNoun is a list of a noun, or if it is short that of its head.
func (w *Cache) ofNoun(kind string, n *Noun) []slots.Candidate {
	if list := w.Vocab.List(kind, n.Key); len(list) >= vocabulary.Few {
		return list
	}
	return w.Vocab.List(kind, n.Head)
}

// Singular is the noun that n is the plural of, or n.
func (w *Cache) Singular(n *Noun) *Noun {
	if n.one == nil {
		n.one = w.Noun(w.Inflect.Singular(n.Key))
	}
	return n.one
}

// SameThing reports whether two nouns may be said of one thing: equal, with a sense
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

// Size is that of its kind.
func (n *Noun) Size() int { return n.Kind.Size() }

// Names is a set of small hashes.
type Names [4]uint64

func (s *Names) Add(hash uint8) { s[hash>>6] |= 1 << (hash & 63) }

func (s *Names) meets(t *Names) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

func (s *Names) Has(hash uint8) bool { return s[hash>>6]>>(hash&63)&1 != 0 }

// SamePerson reports whether two nouns may be said of the same people. Roles that captions name side
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
		return true // who is seen in a mirror stands in front of it
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

// IsNoun turns away what a parser took for an object and no lexicon knows as
// one, names, and nouns that do not say what a thing is.
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
