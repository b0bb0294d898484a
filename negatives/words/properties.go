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

// Property describes an attribute. All objects with the attribute share it.
type Property struct {
	Id   uint32
	Text string
	Hash uint64 // of text
	// Core is the property without its leading preposition ("red" for "in red"), or the property itself.
	Core *Property
	// Values are the values that the text has on dimensions.
	Values    []lexicon.Value
	Opposites []string // only if Core has no values
	// Exclusive are the attributes that exclude it by counts of the corpus. Part is the first part of a compound, such
	// as "dark" of "dark-skinned", or nil; rest is the text after it.
	Exclusive map[string]bool
	Part      *Property
	rest      string
	// Rank is its place in the usual order of adjectives before a noun.
	Rank int
	// Stands is false for attributes that cannot replace another.
	Stands  bool
	Colour  bool
	Sayable bool
	// Predicative is set if it can follow "is". It must have a dimension; a few attributes stand only before a noun.
	Predicative bool
	// Alone is set if it can follow a noun without "that is": "in blue", "standing".
	Alone bool
	// Verb is the hash of the verb whose participle it is ("standing"), or 0.
	Verb int64
	// Age, Size, Number and Material are set for attributes of these dimensions.
	Age, Size, Number bool
	Material          bool
	// Judges is set for judgements, which are not visible: "serene".
	Judges bool
	// An is set if the article before it is "an".
	An bool
	// heads are the heads that the corpus has with it, and kinds has a bit for each frequent kind of them. Both are set
	// once asked is.
	heads []slots.Candidate
	kinds uint32
	asked bool
}

var judgements = wordclass.Words("judgements")

// HeadsOf returns the heads that the corpus has with an attribute, and a bit for each kind with at least one in 20 of
// its uses. Fewer are mistakes, such as "a parked man".
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

// Property returns the property of a text.
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

// AttributeOf returns the property of an attribute of noun n. A finite verb becomes a participle: "looking on" for
// "people look on".
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

// propertyTraits are functions that set the fields of a property which has a text and a core. They are called in this
// order, since later ones read fields that earlier ones set.
var propertyTraits = [...]func(*Cache, *Property){setWording, setDimension, setExclusions}

// setWording sets how an attribute is worded with its noun.
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

// setDimension sets the values of an attribute and their dimension.
func setDimension(w *Cache, p *Property) {
	if p.Values = w.valuesOf(p.Text); len(p.Values) == 0 {
		return
	}
	dimension := w.Lexicon.Dimension(p.Values[0])
	p.Colour = slices.ContainsFunc(p.Values, func(v lexicon.Value) bool { return w.Lexicon.Dimension(v) == "colour" })
	p.Age, p.Size, p.Number, p.Material = dimension == "age", dimension == "size", dimension == "number", dimension == "material"
	p.Predicative = !slices.Contains(attributive, dimension) && !wordclass.Has(onlyBefore, p.Text)
}

// setExclusions sets the attributes that exclude an attribute.
func setExclusions(w *Cache, p *Property) {
	p.Exclusive = w.Vocab.Exclusive(p.Core.Text)
	if len(p.Core.Values) == 0 {
		p.Opposites = w.Lexicon.Opposites(p.Core.Text, nil)
	}
}

// valuesOf returns the values of an attribute. A shade has the values of its colour: "bright yellow", "orange colored".
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

// standsAlone reports whether an attribute can follow its noun without "that is": a participle, or a phrase with a
// preposition.
func (w *Cache) standsAlone(text string) bool {
	first, _ := grammar.Cut(text)
	if first == text && strings.HasSuffix(first, "ed") { // not alone: "a bus that is stopped"
		return false
	}
	if strings.HasSuffix(first, "ed") { // but not "red" and "naked"
		_, participle := grammar.BaseForm(w.Lexicon, w.Inflect, first)
		return participle
	}
	return wordclass.Has(grammar.Prepositions, first) || strings.HasSuffix(first, "ing")
}

// AttributesExclude reports whether attribute b can replace a so that a true text becomes false. Both may have the same
// preposition ("in blue", "in red").
func (w *Cache) AttributesExclude(a, b *Property) bool {
	x, y := a.Core, b.Core
	if !b.Stands || x.Text == y.Text || wordclass.Has(x.Text, y.Text) || wordclass.Has(y.Text, x.Text) {
		return false
	}
	return lexicon.ValuesAreExclusive(x.Values, y.Values) || slices.Contains(x.Opposites, y.Text) || x.Exclusive[y.Text] ||
		x.Part != nil && y.Part != nil && x.rest == y.rest && w.AttributesExclude(x.Part, y.Part) && !w.Lexicon.AreSimilarAdjectives(x.Text, y.Text)
}

// MayBeReplaced reports whether any other attribute is known to exclude it.
func (p *Property) MayBeReplaced() bool {
	return len(p.Core.Values) > 0 || len(p.Opposites) > 0 || len(p.Core.Exclusive) > 0 || p.Core.Part != nil
}

// SameValue reports whether two attributes have a value in common.
func SameValue(a, b []lexicon.Value) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// Core returns an attribute without its leading preposition.
func Core(attribute string) string {
	if first, after := grammar.Cut(attribute); after != "" && wordclass.Has(grammar.Prepositions, first) {
		return after
	}
	return attribute
}

// attributive are dimensions whose attributes cannot follow "is".
var attributive = []string{"number", "side", "ends", "levels", "decker", "handle", "inside", "place", "hair length", "sex", "shape", "origin", "wearer"}

// Reprefixed returns p with the leading preposition of the attribute that it replaces.
func (w *Cache) Reprefixed(attribute string, p *Property) *Property {
	c := Core(attribute)
	if len(c) == len(attribute) || p.Alone { // "wearing red" replaces "in white"
		return p
	}
	return w.Property(attribute[:len(attribute)-len(c)] + p.Text)
}
