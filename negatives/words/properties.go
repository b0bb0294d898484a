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

// Property has the data of an attribute, shared by all objects with it.
type Property struct {
	Id   uint32
	Text string
	Hash uint64 // of text
	// Core is the property without the preposition it begins with, itself where it
	// begins with none.
	Core *Property
	// Values are the values of text.
	Values    []lexicon.Value
	Opposites []string // where values of the core are none
	// Exclusive are the attributes that the corpus never has together with it. Part is the first
	// part of a compound ("dark" of "dark-skinned"), nil for no compound, and rest the text after
	// it.
	Exclusive map[string]bool
	Part      *Property
	rest      string
	// Rank orders properties before their noun.
	Rank int
	// Stands is false for what does not replace another.
	Stands  bool
	Colour  bool
	Sayable bool
	// Predicative is true for what can follow "is": what is of a dimension, but for a
	// few that only stand before a noun.
	Predicative bool
	// Alone is true for what follows its noun without "that is": "in blue", "standing".
	Alone bool
	// Verb is the hash of the verb that it is a participle of ("standing"), 0 if it is none.
	Verb int64
	// Age, Size, Number and material hold for those dimensions.
	Age, Size, Number bool
	Material          bool
	// Judges is true for what somebody thinks of a thing, which nobody sees: "serene".
	Judges bool
	// An reports whether the article before it is "an".
	An bool
	// heads are the corpus's heads with it, and kinds has a bit for each kind of most of them;
	// asked is set after they were looked up.
	heads []slots.Candidate
	kinds uint32
	asked bool
}

var judgements = wordclass.Words("judgements")

// HeadsOf returns the heads that the corpus has with an attribute, and the kinds with at least one
// in 20 of its uses: fewer are a slip, "a parked man".
func (w *Cache) HeadsOf(p *Property) ([]slots.Candidate, uint32) {
	if !p.asked {
		p.asked, p.heads = true, w.Vocab.List(vocabulary.HeadsOf, p.Text)
		var uses [truth.KindCount]uint64
		all := uint64(0)
		for head, n := range vocabulary.Counted(p.heads) {
			uses[w.Noun(head).Kind] += n
			all += n
		}
		for k, n := range uses {
			if n > 0 && 20*n >= all {
				p.kinds |= 1 << k
			}
		}
	}
	return p.heads, p.kinds
}

// Property returns the data of an attribute.
func (w *Cache) Property(text string) *Property {
	return rememberWord(w, w.properties, text, (*Cache).describeProperty)
}

func (w *Cache) describeProperty(text string) *Property {
	p := &Property{Id: w.nextID(), Text: text}
	p.Core = p
	if c := Core(text); c != text {
		p.Core = w.Property(c)
	}
	if at := strings.LastIndexByte(text, '-'); at > 0 && strings.HasSuffix(text, "ed") {
		p.Part, p.rest = w.Property(text[:at]), text[at:]
	}
	for _, set := range propertyTraits {
		set(w, p)
	}
	return p
}

// AttributeOf returns the property that an attribute of noun n is. A finite verb is one as its
// participle: "looking on" for "people look on".
func (w *Cache) AttributeOf(c *grammar.Caption, n *Noun, a *schemas.Attribute) *Property {
	verb, noun := grammar.Finite(c, a)
	if verb == nil || noun && !n.Alive() {
		return w.Property(a.Text)
	}
	v := w.Verb(verb.Lemma)
	if v.senses == nil {
		return w.Property(a.Text)
	}
	_, particle := grammar.Cut(a.Text)
	return w.Property(grammar.Join(v.Gerund, particle))
}

// propertyTraits set the fields of a property that has a text and a core. Later ones read what earlier ones set.
var propertyTraits = [...]func(*Cache, *Property){setWording, setDimension, setExclusions}

// setWording sets how an attribute is written beside its noun.
func setWording(w *Cache, p *Property) {
	p.Hash = xxhash.Sum64String(p.Text)
	p.Sayable, p.Rank, p.Alone = grammar.Sayable(p.Text), w.Lexicon.AttributeRank(p.Text), w.standsAlone(p.Text)
	p.An = lexicon.Article(p.Text+" ") == "an"
	p.Stands = p.Sayable && !wordclass.Has(Fixed, p.Text)
	p.Judges = wordclass.Has(judgements, p.Text)
	if base, ok := grammar.BaseForm(w.Lexicon, w.Inflect, p.Text); ok && strings.HasSuffix(p.Text, "ing") {
		p.Verb = int64(xxhash.Sum64String(base))
	}
}

// setDimension sets the values of an attribute and the dimension that they are of.
func setDimension(w *Cache, p *Property) {
	if p.Values = w.valuesOf(p.Text); len(p.Values) == 0 {
		return
	}
	dimension := w.Lexicon.Dimension(p.Values[0])
	p.Colour = slices.ContainsFunc(p.Values, func(v lexicon.Value) bool { return w.Lexicon.Dimension(v) == "colour" })
	p.Age, p.Size, p.Number, p.Material = dimension == "age", dimension == "size", dimension == "number", dimension == "material"
	p.Predicative = !slices.Contains(attributive, dimension) && !wordclass.Has(onlyBefore, p.Text)
}

// setExclusions sets the attributes that are never true together with an attribute.
func setExclusions(w *Cache, p *Property) {
	p.Exclusive = w.Vocab.Exclusive(p.Core.Text)
	if len(p.Core.Values) == 0 {
		p.Opposites = w.Lexicon.Opposites(p.Core.Text, nil)
	}
}

// valuesOf returns the values of an attribute; a shade has its colour's values: "bright yellow",
// "orange colored".
func (w *Cache) valuesOf(text string) []lexicon.Value {
	values := w.Lexicon.Values(text)
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	if len(values) > 0 || len(words) < 2 || slices.Contains(words, "and") {
		return values
	}
	last := words[len(words)-1]
	if last == "colored" || last == "coloured" {
		last = words[len(words)-2]
	}
	return slices.DeleteFunc(slices.Clone(w.Lexicon.Values(last)), func(v lexicon.Value) bool { return w.Lexicon.Dimension(v) != "colour" })
}

// standsAlone is true for attributes that follow their noun without "that is":
// participles, and what begins with a preposition.
func (w *Cache) standsAlone(text string) bool {
	first, _ := grammar.Cut(text)
	if first == text && strings.HasSuffix(first, "ed") { // "a bus that is stopped"
		return false
	}
	if strings.HasSuffix(first, "ed") { // "red" and "naked" are none
		_, participle := grammar.BaseForm(w.Lexicon, w.Inflect, first)
		return participle
	}
	return wordclass.Has(grammar.Prepositions, first) || strings.HasSuffix(first, "ing")
}

// AttributesExclude reports whether an attribute can be replaced by another so that
// what was true becomes false. A preposition in front is the same in both ("in
// blue", "in red").
func (w *Cache) AttributesExclude(a, b *Property) bool {
	x, y := a.Core, b.Core
	if !b.Stands || x.Text == y.Text || wordclass.Has(x.Text, y.Text) || wordclass.Has(y.Text, x.Text) {
		return false
	}
	return lexicon.ValuesAreExclusive(x.Values, y.Values) || slices.Contains(x.Opposites, y.Text) || x.Exclusive[y.Text] ||
		x.Part != nil && y.Part != nil && x.rest == y.rest && w.AttributesExclude(x.Part, y.Part) && !w.Lexicon.AreSimilarAdjectives(x.Text, y.Text)
}

// MayBeReplaced reports whether anything is known to exclude an attribute.
func (p *Property) MayBeReplaced() bool {
	return len(p.Core.Values) > 0 || len(p.Opposites) > 0 || len(p.Core.Exclusive) > 0 || p.Core.Part != nil
}

// SameValue reports whether two attributes have a value of a dimension in common.
func SameValue(a, b []lexicon.Value) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// Core is an attribute without the preposition it begins with.
func Core(attribute string) string {
	if first, after := grammar.Cut(attribute); after != "" && wordclass.Has(grammar.Prepositions, first) {
		return after
	}
	return attribute
}

// attributive are dimensions whose words do not follow "is".
var attributive = []string{"number", "side", "ends", "levels", "decker", "handle", "inside", "place", "hair length", "sex", "shape", "origin", "wearer"}

// Reprefixed returns p with the preposition of the attribute that it replaces.
func (w *Cache) Reprefixed(attribute string, p *Property) *Property {
	c := Core(attribute)
	if len(c) == len(attribute) || p.Alone { // "wearing red" in the place of "in white"
		return p
	}
	return w.Property(attribute[:len(attribute)-len(c)] + p.Text)
}
