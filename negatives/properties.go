package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
)

// property is what is known of an attribute, once for all objects that have it.
type property struct {
	id   uint32
	text string
	hash uint64 // of text
	// core is the property without the preposition it begins with, itself where it
	// begins with none.
	core *property
	// values are those of text.
	values    []lexicon.Value
	opposites []string // where values of the core are none
	// rank orders properties before their noun.
	rank int
	// stands is false for what does not replace another.
	stands  bool
	colour  bool
	sayable bool
	// predicative holds for what can follow "is": what is of a dimension, but for a
	// few that only stand before a noun.
	predicative bool
	// alone holds for what follows its noun without "that is": "in blue", "standing".
	alone bool
	// verb is the hash of the verb that it is a participle of ("standing"), 0 where it is none.
	verb int64
	// age, size, number and material hold for those dimensions.
	age, size, number bool
	material          bool
	// an holds where the article before it is "an".
	an bool
	// heads are those that the corpus has it of, and kinds has a bit of each kind that they
	// are mostly of; asked holds where they were looked up.
	heads []Candidate
	kinds uint32
	asked bool
}

// headsOf gives the heads that the corpus has an attribute of, and the kinds of one in 20 of
// its uses or more: what it has of fewer is a slip, "a parked man".
func (w *words) headsOf(p *property) ([]Candidate, uint32) {
	if !p.asked {
		p.asked, p.heads = true, w.vocab.list(headsOf, p.text)
		var uses [kindCount]uint64
		all := uint64(0)
		for head, n := range counted(p.heads) {
			uses[w.noun(head).kind] += n
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

// property gives what is known of an attribute.
func (w *words) property(text string) *property {
	if p, ok := w.properties[text]; ok {
		return p
	}
	text = strings.Clone(text)
	p := &property{
		id: w.nextID(), text: text, hash: xxhash.Sum64String(text), values: w.lexicon.Values(text), rank: w.lexicon.Rank(text), sayable: sayable(text), alone: w.standsAlone(text),
		an: lexicon.Article(text+" ") == "an",
	}
	p.stands = p.sayable && !contains(fixed, text)
	p.core = p
	if c := core(text); c != text {
		p.core = w.property(c)
	}
	if len(p.values) > 0 {
		dimension := w.lexicon.Dimension(p.values[0])
		p.colour = slices.ContainsFunc(p.values, func(v lexicon.Value) bool { return w.lexicon.Dimension(v) == "colour" })
		p.age, p.size, p.number, p.material = dimension == "age", dimension == "size", dimension == "number", dimension == "material"
		p.predicative = !slices.Contains(attributive, dimension) && !contains(" wood stone rock straw brick city country dirt gravel baby ", text)
	}
	if len(p.core.values) == 0 {
		p.opposites = w.lexicon.Opposites(p.core.text, nil)
	}
	if base, ok := baseForm(w.lexicon, w.inflect, text); ok && strings.HasSuffix(text, "ing") {
		p.verb = int64(xxhash.Sum64String(base))
	}
	w.properties[text] = p
	return p
}

// standsAlone holds for attributes that follow their noun without "that is":
// participles, and what begins with a preposition.
func (w *words) standsAlone(text string) bool {
	first, _ := cut(text)
	if strings.HasSuffix(first, "ed") { // "red" and "naked" are none
		_, participle := baseForm(w.lexicon, w.inflect, first)
		return participle
	}
	return contains(prepositions, first) || strings.HasSuffix(first, "ing")
}

// attributesExclude holds where an attribute can be replaced by another so that
// what was true becomes false. A preposition in front is the same in both ("in
// blue", "in red").
func (w *words) attributesExclude(a, b *property, anyDimension bool) bool {
	x, y := a.core, b.core
	switch {
	case !b.stands || x.text == y.text:
		return false
	case anyDimension:
		return !contains(x.text, y.text) && !contains(y.text, x.text) &&
			!sameValue(x.values, y.values) && !w.lexicon.SimilarAdjectives(x.text, y.text)
	case len(x.values) == 0:
		return slices.Contains(a.opposites, y.text)
	}
	return lexicon.ValuesExclude(x.values, y.values) && !contains(x.text, y.text) && !contains(y.text, x.text)
}

// sameValue holds where two attributes have a value of a dimension in common.
func sameValue(a, b []lexicon.Value) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// core is an attribute without the preposition it begins with.
func core(attribute string) string {
	if first, after := cut(attribute); after != "" && contains(prepositions, first) {
		return after
	}
	return attribute
}

// naturally is how often the corpus must have a colour of what has its colours
// from nature.
const naturally = 2

// goesWith holds where a noun can have the attribute that was chosen for it.
func (f *filtered) goesWith(n *noun, c choice) bool {
	p := c.of.properties[c.at].core
	switch {
	case p.age && n.kind == people:
		return n.age != 'c' && contains(peopleAges, p.text)
	case p.age && n.kind != animals:
		return !contains(livingAges, p.text)
	case p.size:
		return n.kind != people && !contains(pictures, n.head)
	case p.colour && natural(n.kind) && f.plausible:
		return hasNaturally(n.word.attributes.list, c.text())
	}
	return true
}
