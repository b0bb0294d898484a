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
)

// nounTraits are functions that set the fields of a noun which has a key and a head. They are called in this order,
// since later ones read fields that earlier ones set.
var nounTraits = [...]func(*Cache, *Noun){
	setSpelling, setMeaning, setRelations, setPlural, setVagueness, setSenses, setKind, setImplements, setRoles, setConcreteness, setScenes, setUsage,
}

// setSpelling sets the plural and the article of a noun, and the hashes of its letters.
func setSpelling(w *Cache, n *Noun) {
	n.Many, n.PluralOnly = w.Inflect.Plural(n.Key), w.Inflect.IsPluralOnly(n.Key)
	n.Sayable, n.An = grammar.Sayable(n.Key), lexicon.Article(n.Key) == "an"
	n.Hash, n.HeadID = xxhash.Sum64String(n.Key), grammar.ID(n.Head)
	n.Letters = xxhash.Sum64String(inOneWord.Replace(n.Key))
	n.KeyHash, n.HeadHash = uint8(n.Letters), uint8(xxhash.Sum64String(inOneWord.Replace(n.Head)))
	n.Word = w.Headword(n.Head)
}

var inOneWord = strings.NewReplacer(" ", "", "-", "")

// setMeaning sets the senses of a noun in the lexicon, and Meaning, which nouns with one sense share.
func setMeaning(w *Cache, n *Noun) {
	n.Senses = w.Lexicon.NounSenses(n.Key)
	if n.Meaning = n.Letters; len(n.Senses) > 0 && (n.Key == n.Head || !slices.Equal(n.Senses, w.Lexicon.NounSenses(n.Head))) {
		n.Meaning = uint64(n.Senses[0])
	}
	n.Sorts = sortsOf(n.Key)
}

// setRelations sets the relations in which the corpus has a noun.
func setRelations(w *Cache, n *Noun) {
	n.Relations, n.Suffers = vocabulary.WithoutSlips(w.ofNoun(vocabulary.RelationFrom, n)), w.ofNoun(vocabulary.RelationTo, n)
	n.Undergoes = vocabulary.CountedAtLeast(vocabulary.WithoutSlips(n.Suffers), slipped*vocabulary.Total(n.Suffers))
}

// setPlural sets whether a noun is a plural. The plural of a plural is the noun itself.
func setPlural(w *Cache, n *Noun) {
	n.Plural = w.isPlural(n.Head, w.Inflect.Singular(n.Head))
	if n.Plural || w.isPlural(n.Head, strings.TrimSuffix(n.Head, "s")) { // "pies", for which Singular returns "py"
		n.Many = n.Key
	}
}

// setVagueness sets whether a noun tells little: "item", "biological species".
func setVagueness(_ *Cache, n *Noun) {
	n.Placeholder = wordclass.Has(placeholders, n.Head) || strings.HasPrefix(n.Key, "biological ") || strings.HasPrefix(n.Key, "geographical feature")
	n.Vague = wordclass.Has(Vague, n.Key) || wordclass.Has(Vague, n.Head) || n.Placeholder
}

// setSenses sets the order of the senses of a noun, and its hypernyms.
func setSenses(w *Cache, n *Noun) {
	count := len(n.Senses)
	if count == 0 {
		return
	}
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

// setKind sets the kind of a noun, and whether it is for a person or a proper name.
func setKind(w *Cache, n *Noun) {
	_, n.Sex, n.Age = truth.OfPeople(n.Head)
	n.Kind, n.Unsaid = w.Vocab.Kinds.Of(n.Head, n.Senses), truth.Unsaid.RowsWith(n.Head) != 0
	n.General = n.Kind.General(n.Key) || n.Kind != 0 && wordclass.Has(meals, n.Head)
	n.Person = n.Person && n.Kind == truth.People
	n.Name = w.isName(n)
}

// setImplements sets the classes of implements of a noun without kind or sort.
func setImplements(w *Cache, n *Noun) {
	if n.Kind != 0 || n.Sorts != 0 {
		return
	}
	for i := range w.Vocab.Kinds.Implements {
		if n.isOneOf(w.Vocab.Kinds.Implements[i:][:1]) {
			n.Implements |= 1 << i
		}
	}
}

// setRoles sets the roles that captions name beside a noun that is a role.
func setRoles(w *Cache, n *Noun) {
	if n.isRole() {
		n.beside = w.Vocab.SideBySide(n.Head)
	}
}

// setConcreteness sets whether a noun's things can be seen, touched and counted.
func setConcreteness(w *Cache, n *Noun) {
	n.Mass = wordclass.Has(masses, n.Head)
	n.Intangible = n.Kind == 0 && w.Lexicon.IsIntangible(n.Key) && !wordclass.Has(touched, n.Head)
	concrete, known := concretenessOf(n.Key, n.Head)
	n.Concrete, n.Unseen = concrete, known && n.Key == n.Head && n.Intangible && concrete <= leastConcrete
}

// setScenes sets the scenes in which a noun's things are found.
func setScenes(_ *Cache, n *Noun) {
	n.Setting, n.furnishing, n.WornOn = truth.SettingOf(n.Head), truth.FurnishingOf(n.Head), truth.WornOn(n.Head)
	n.Scenery, n.Tableware = truth.Scenery.RowsWith(n.Head) != 0, wordclass.Has(tableware, n.Head)
}

// setUsage sets how often the corpus has a noun with "a", "the" or no article, with corrections for misleading counts.
func setUsage(w *Cache, n *Noun) {
	n.Usage = correctUsage(n.Head, w.usageOf(n))
	switch n.Kind {
	case truth.People, truth.Animals, truth.Vehicles, truth.Furniture, truth.Structures, truth.Interiors, truth.Ways: // some corpora have "studio" without an article
		if u := n.Usage; !n.Mass && (u.Mass() || u.A == 0 && u.Bare+u.First > 0) {
			n.Usage = vocabulary.Uses{A: u.Bare + u.First, Plural: u.Plural}
		}
	}
	if n.Usage.A == 0 {
		if bare := max(1, n.Usage.Bare+n.Usage.First); w.isCounted(n) {
			n.Usage.A = bare
		} else if n.Usage == (vocabulary.Uses{}) && w.Vocab.DropsArticles() { // without counts it would be taken for countable
			n.Usage.Bare = bare
		}
	}
}

// leastConcrete is the concreteness up to which things of an intangible noun cannot be seen.
const leastConcrete = 40

// isPlural reports whether word is the plural of the noun one: "cows" of "cow".
func (w *Cache) isPlural(word, one string) bool {
	return one != word && len(one) > 2 && !w.Inflect.IsPluralOnly(word) && w.Inflect.Plural(one) == word && len(w.Lexicon.NounSenses(one)) > 0
}

// isCounted reports whether a noun that the corpus never has with "a" is countable. It is if captions mostly have it in
// the plural ("cookies"), or if it is a rare device, container, implement or platform ("a kettle"). In a corpus that
// omits articles, any thing is that other captions never have without an article ("a wallet"). Materials and collective
// nouns are not ("denim", "stemware").
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

// correctUsage returns the usage of a noun with corrections for misleading counts.
func correctUsage(head string, u vocabulary.Uses) vocabulary.Uses {
	all := max(1, u.A+u.The+u.Bare+u.First)
	switch {
	case wordclass.Has(masses, head):
		return vocabulary.Uses{Bare: all}
	case wordclass.Has(countables, head):
		return vocabulary.Uses{A: all, Plural: u.Plural}
	case wordclass.Has(definites, head):
		return vocabulary.Uses{The: all, Plural: u.Plural / 4}
	case u.A+u.Bare+u.Plural == 0: // "Graffiti": only at the beginning of captions
		u.Bare = u.First
	}
	return u
}

// usageOf returns how the corpus uses a noun. For a rare compound ("a ski pole") it returns how the corpus uses the
// head.
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

// foodFirst returns the senses of a noun. For food, a sense as food comes first: the lexicon has "banana" first as a
// plant.
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

// ofNoun returns the vocabulary's list of a kind for a noun, or for its head if the noun's list is short.
func (w *Cache) ofNoun(kind string, n *Noun) []slots.Candidate {
	if list := w.Vocab.List(kind, n.Key); len(list) >= vocabulary.Few {
		return list
	}
	return w.Vocab.List(kind, n.Head)
}
