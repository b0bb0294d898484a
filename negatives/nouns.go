package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// nounKey is how an object is counted and compared: its name with the last word
// in the singular ("tennis racket"). plural says how it was inflected.
func nounKey(in *lexicon.Inflector, o *schemas.Object) (key string, plural bool) {
	i := strings.LastIndexByte(o.Name, ' ') + 1
	before, last := o.Name[:i], o.Name[i:]
	switch {
	case in.PluralOnly(last):
		return o.Name, true
	case last == o.Head || o.Head == "":
		return o.Name, false
	case in.Plural(o.Head) == last || in.Singular(last) == o.Head:
		return before + o.Head, true
	}
	// The head is not the last word, as in "slices of pizza".
	if j := strings.IndexByte(o.Name, ' '); j > 0 && o.Name[:j] != o.Head && in.Singular(o.Name[:j]) == o.Head {
		return o.Head + o.Name[j:], true
	}
	return o.Name, false
}

// noun is what is known of an object's name, once for all objects that have it.
// What is asked of every candidate comes first.
type noun struct {
	// keyHash and headHash are equal where the letters of the strings are.
	keyHash, headHash uint8
	vague             bool
	pluralOnly        bool
	// plural holds for a plural that is a word of its own: "cows".
	plural bool
	// sayable is false for what no text should have: "t - shirt".
	sayable bool
	// sex and age are as in persons.
	sex, age byte
	// an holds where the article before it is "an".
	an     bool
	person bool
	// name holds for what is one of its kind by name.
	name bool
	kind kind
	// sorts has a bit of each row of sorts that it is of.
	sorts uint64
	// unsaid holds for those of unsaid, intangible for what nobody can touch.
	unsaid, intangible bool
	// general holds for what may be said of all of a kind: "vehicle".
	general bool
	// mass holds for those of masses.
	mass    bool
	setting setting
	// furnishing says what it mostly has or is in; scenery holds for those of scenery,
	// tableware for those of tableware.
	furnishing         furnishing
	scenery, tableware bool
	wornOn             part
	first              uint8 // hash of its first sense
	// senseBits and kindBits have the hashes of the senses and the kinds.
	senseBits, kindBits names
	senses              []lexicon.Synset
	// kinds are what its first sense is or is a kind of. They follow on the senses in
	// memory.
	kinds []lexicon.Synset
	key   string // singular
	hash  uint64 // of key
	// headID is the idOf its head.
	headID uint64
	// letters hashes the key as it is spelt in one word: "side walk" as "sidewalk".
	letters uint64
	head    string // its last word
	usage   usage
	many    string // plural
	one     *noun  // singular of key, nil until it is asked for
	word    *headword
	// relations are those that the corpus has it as the subject of, suffers those that
	// it has it as the object of, and undergoes those of them that are no slips.
	relations, suffers, undergoes []Candidate
}

// usage says how often a noun stands after "a", after "the", bare in the singular,
// and in the plural; first is how often it stands bare where a caption begins, which
// says little of whether it takes an article.
// names is how often it is written as a name, which is among those.
type usage struct{ a, the, bare, plural, first, names int64 }

func (u usage) sum() int64 { return u.a + u.the + u.bare + u.plural + u.first }

// mass holds for nouns such as "snow", which take no "a".
func (u usage) mass() bool { return u.bare > 2*u.a && 2*u.bare > 3*u.plural }

// countable holds where the noun is used with "a", or is unknown.
func (u usage) countable() bool { return !u.mass() && (u.a > 0 || u == usage{}) }

// definite holds for nouns such as "ground", of which a picture has one.
func (u usage) definite() bool { return u.the > 2*(u.a+u.bare+u.plural+u.first) }

// pluralises holds where the noun is used in the plural, or is unknown.
func (u usage) pluralises() bool { return u.plural > 0 && 20*u.plural > u.bare+u.first || u == usage{} }

// masses are nouns that take no "a", whatever stands before them in the corpus
// ("a snow covered slope"): in the snow, in snow; and pronouns.
const masses = " stuff graffiti snow dirt grass sand water ice mud rain sunlight sunshine shade broccoli rice bread luggage furniture food traffic architecture transportation plumbing " +
	" fencing boarding engineering winter summer autumn night nighttime daytime" +
	" someone somebody something everyone everybody everything anyone anything nobody nothing "

// usual corrects how the corpus uses a noun where its counts mislead.
func usual(head string, u usage) usage {
	all := max(1, u.a+u.the+u.bare+u.first)
	switch {
	case contains(masses, head):
		return usage{bare: all}
	case contains(countables, head):
		return usage{a: all, plural: u.plural}
	case contains(definites, head):
		return usage{the: all, plural: u.plural / 4}
	case u.a+u.bare+u.plural == 0: // "Graffiti", of which only beginnings tell
		u.bare = u.first
	}
	return u
}

// object gives the noun of an object.
func (w *words) object(o *schemas.Object) namedNoun {
	id := idOf(o.Name, o.Head)
	if n, ok := w.names[id]; ok {
		return n
	}
	key, plural := nounKey(w.inflect, o)
	n := namedNoun{w.noun(key), plural, w.headword(o.Head)}
	w.kept += wordSize
	w.names[id] = n
	return n
}

var inOneWord = strings.NewReplacer(" ", "", "-", "")

// noun gives the noun with a key.
func (w *words) noun(key string) *noun {
	if n, ok := w.nouns[key]; ok {
		return n
	}
	key = strings.Clone(key)
	n := &noun{
		key: key, head: key[strings.LastIndexByte(key, ' ')+1:], many: w.inflect.Plural(key),
		senses: w.lexicon.Noun(key), usage: w.usageOf(key), pluralOnly: w.inflect.PluralOnly(key),
		sayable: sayable(key), an: lexicon.Article(key) == "an",
	}
	n.hash, n.headID = xxhash.Sum64String(key), idOf(n.head)
	n.letters = xxhash.Sum64String(inOneWord.Replace(key))
	n.keyHash, n.headHash = uint8(n.letters), uint8(xxhash.Sum64String(inOneWord.Replace(n.head)))
	n.name, n.sorts = w.isName(key, n.head), sortsOf(key)
	n.word = w.headword(n.head)
	n.relations, n.suffers = withoutSlips(w.ofNoun(relationFrom, n)), w.ofNoun(relationTo, n)
	n.undergoes = often(withoutSlips(n.suffers), slipped*total(n.suffers))
	n.usage, n.mass = usual(n.head, n.usage), contains(masses, n.head)
	n.plural = w.isPlural(n.head, w.inflect.Singular(n.head))
	if n.plural || w.isPlural(n.head, strings.TrimSuffix(n.head, "s")) { // "pies", of which Singular makes "py"
		n.many = key
	}
	n.vague = contains(vague, n.key) || contains(vague, n.head)
	if count := len(n.senses); count > 0 {
		n.senses = w.foodFirst(n)
		all := w.lexicon.Ancestors(n.senses[0], append(slices.Clone(n.senses), n.senses[0]))
		n.senses, n.kinds = all[:count], all[count:]
		n.first = uint8(n.senses[0])
		for _, s := range n.senses {
			n.senseBits.add(uint8(s))
		}
		for _, k := range n.kinds {
			n.kindBits.add(uint8(k))
			n.person = n.person || k == w.vocab.kinds.person
		}
	}
	_, n.sex, n.age = ofPeople(n.head)
	n.kind, n.unsaid, n.setting = w.vocab.kinds.of(n.head, n.senses), unsaid.with(n.head) != 0, settingOf(n.head)
	n.person = n.person && n.kind == people
	n.intangible = n.kind == 0 && w.lexicon.Intangible(key) && !contains(touched, n.head)
	n.furnishing, n.scenery, n.tableware, n.wornOn = furnishingOf(n.head), scenery.with(n.head) != 0, contains(tableware, n.head), wornOn(n.head)
	switch n.kind {
	case people, animals, vehicles, furniture, structures, interiors, ways: // a "studio", which some corpora have bare
		if u := n.usage; !n.mass && (u.mass() || u.a == 0 && u.bare+u.first > 0) {
			n.usage = usage{a: u.bare + u.first, plural: u.plural}
		}
	}
	if n.usage.a == 0 && n.counted(w.vocab.kinds.implements) {
		n.usage.a = max(1, n.usage.bare+n.usage.first)
	}
	n.general = n.kind.general(n.key) || n.kind != 0 && contains(meals, n.head)
	w.kept += wordSize
	w.nouns[key] = n
	return n
}

// isPlural holds for a word that is the plural of a noun: "cows" of "cow".
func (w *words) isPlural(word, one string) bool {
	return one != word && len(one) > 2 && !w.inflect.PluralOnly(word) && w.inflect.Plural(one) == word && len(w.lexicon.Noun(one)) > 0
}

// counted holds for a noun that the corpus has mostly in the plural ("cookies"), and for a device, a
// container, an implement or a platform that it has seldom ("a kettle"), but for what is said of many
// at once ("stemware").
func (n *noun) counted(implements []lexicon.Synset) bool {
	bare := n.usage.bare + n.usage.first
	switch {
	case n.mass || n.pluralOnly || n.many == n.key || contains(definites, n.head):
		return false
	case n.usage.plural > bare:
		return true
	case bare >= few || contains(collective, n.head) || strings.HasSuffix(n.head, "ware") || strings.HasSuffix(n.head, "ing"):
		return false
	}
	return slices.ContainsFunc(implements, func(s lexicon.Synset) bool { return slices.Contains(n.kinds, s) })
}

// usageOf is how the corpus uses a noun, or where that has a compound too rarely to
// tell, how it uses its head: "a ski pole".
func (w *words) usageOf(key string) usage {
	u := w.vocab.usage[key]
	if space := strings.LastIndexByte(key, ' '); space >= 0 && u.sum() < few {
		if head := w.vocab.usage[key[space+1:]]; head.sum() > u.sum() {
			return head
		}
	}
	return u
}

// foodFirst gives the senses of a noun, of what is food first that as which it is:
// "banana" is first a plant.
func (w *words) foodFirst(n *noun) []lexicon.Synset {
	if w.vocab.kinds.of(n.head, n.senses) != food {
		return n.senses
	}
	for i, sense := range n.senses {
		for _, s := range w.lexicon.Ancestors(sense, []lexicon.Synset{sense}) {
			if w.vocab.kinds.ofSynset[s] == food {
				return slices.Concat(n.senses[i:i+1], n.senses[:i], n.senses[i+1:])
			}
		}
	}
	return n.senses
}

// ofNoun is a list of a noun, or where it is short that of its head.
func (w *words) ofNoun(kind string, n *noun) []Candidate {
	if list := w.vocab.list(kind, n.key); len(list) >= few {
		return list
	}
	return w.vocab.list(kind, n.head)
}

// singular is the noun that n is the plural of, or n.
func (w *words) singular(n *noun) *noun {
	if n.one == nil {
		n.one = w.noun(w.inflect.Singular(n.key))
	}
	return n.one
}

// sameThing holds where two nouns may be said of one thing: equal, with a sense
// in common, or one a kind of the other.
func sameThing(a, b *noun) bool {
	if a == b || a.letters == b.letters || samePerson(a, b) {
		return true
	}
	if a.senseBits.meets(&b.senseBits) {
		for _, s := range a.senses {
			if slices.Contains(b.senses, s) {
				return true
			}
		}
	}
	return isKind(a, b) || isKind(b, a) || a.headHash == b.headHash && a.head == b.head && (a.key == a.head || b.key == b.head)
}

// isKind holds where a's first sense is a kind of b's.
func isKind(a, b *noun) bool {
	return a.kindBits.has(b.first) && len(b.senses) > 0 && slices.Contains(a.kinds, b.senses[0])
}
