package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/schemas"
)

func (n *nounPhrase) hash() uint64 {
	h := n.noun.hash
	if n.plural {
		h++
	}
	if n.quantity != "" {
		h = mixed(h ^ xxhash.Sum64String(n.quantity))
	}
	for _, a := range n.attributes[:n.n] {
		h = mixed(h ^ a.is.hash)
	}
	return h
}

// isPlural holds where the noun phrase takes "are".
func (n *nounPhrase) isPlural() bool { return n.also != nil || n.many() }

// many holds where its own noun takes "are", and "there are" stands before it: "a group of men"
// does not.
func (n *nounPhrase) many() bool {
	if what, ok := strings.CutPrefix(n.quantity, "a "); ok {
		return n.plural && slices.Contains(manifold, strings.TrimSuffix(what, " of"))
	}
	return n.plural && !strings.HasPrefix(n.quantity, "one")
}

// manifold are nouns of a quantity with which the verb is in the plural: "a lot of
// cars are".
var manifold = []string{"couple", "dozen", "few", "handful", "lot", "number"}

// sayable holds where all its words can be said.
func (n *nounPhrase) sayable() bool {
	for i := range n.n {
		if !n.attributes[i].is.sayable {
			return false
		}
	}
	return n.noun.sayable && (n.quantity == "" || sayable(n.quantity))
}

func (n *nounPhrase) name() string {
	if n.plural {
		return n.noun.many
	}
	return n.noun.key
}

// appendNounPhrase says a noun phrase: quantity or article, attributes in their
// order, noun, and attributes that follow it. that says an attribute before the
// noun as "that is red".
func appendNounPhrase(dst []byte, n *nounPhrase, that bool) []byte {
	that = that && n.attributes[0].is.predicative
	if n.quantity != "" {
		dst = append(append(dst, n.quantity...), ' ')
	} else if !n.plural {
		dst = append(dst, n.articleText(that)...)
	}
	var last *property
	for _, a := range n.attributes[:n.n] {
		if a.post || that {
			continue
		}
		if last != nil && last.colour && a.is.colour { // "black and white"
			dst = append(dst, "and "...)
		}
		last = a.is
		dst = append(append(dst, a.is.text...), ' ')
	}
	dst = append(dst, n.name()...)
	clause := false // "that is" was said
	for _, a := range n.attributes[:n.n] {
		if !a.post && !that {
			continue
		}
		switch {
		case !that && a.is.alone:
			clause = false
		case clause: // "that is black and white"
			dst = append(dst, " and"...)
		default:
			dst = append(dst, n.who()...)
			dst = append(dst, is(n.isPlural())...)
			clause = true
		}
		dst = append(append(dst, ' '), a.is.text...)
	}
	if n.also != nil {
		also := nounPhrase{noun: n.also, article: anArticle}
		dst = appendNounPhrase(append(dst, " and "...), &also, false)
	}
	return dst
}

// who begins a clause about a noun phrase.
func (n *nounPhrase) who() string {
	if n.noun.person {
		return " who "
	}
	return " that "
}

// articleText is the article of a noun phrase with the space after it. that is
// as in appendNounPhrase.
func (n *nounPhrase) articleText(that bool) string {
	switch n.article {
	case noArticle:
		return ""
	case theArticle:
		return "the "
	}
	an := n.noun.an
	for i := range n.n {
		if a := &n.attributes[i]; !a.post && !that {
			an = a.is.an
			break
		}
	}
	if an {
		return "an "
	}
	return "a "
}

func is(plural bool) string {
	if plural {
		return "are"
	}
	return "is"
}

// attributive are dimensions whose words do not follow "is".
var attributive = []string{"number", "side", "ends", "levels", "decker", "handle", "inside", "place", "hair length", "sex", "shape", "origin", "wearer"}

// spoken is how an object's noun is said, whatever its attributes.
type spoken struct {
	namedNoun
	article  article
	quantity string
	// another holds where the caption tells it from another one, portioned where it has it
	// bare after "of".
	another, portioned bool
	// single holds where its caption has it with "a", or counts one.
	single bool
	// name holds where its caption names it.
	name bool
}

// speak says how a caption has an object.
func speak(w *words, c *Caption, o *schemas.Object) spoken {
	var s spoken
	s.namedNoun = w.object(o)
	s.name = s.noun.name || w.named(c, o)
	if !slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return partitive(c, &a) }) {
		s.quantity = withArticle(o.Quantity) // which is not that of slices
	}
	s.plural = s.plural || isSeveral(s.quantity) || s.noun.many == s.noun.key && strings.HasSuffix(s.quantity, " of")
	s.single = !s.plural && s.quantity == justOne
	if !s.plural && s.quantity == "" {
		before := determiner(c, o)
		s.article, s.another, s.single = articleOf(s.noun, before), before == "another", before == "a" || before == "an"
		if s.portioned = before == "" && portioned(c, o); s.portioned {
			s.article = noArticle
		}
	}
	return s
}

// begin makes n the noun phrase of an object without its attributes.
func (n *nounPhrase) begin(s *spoken) {
	n.noun, n.plural, n.article, n.quantity, n.portioned, n.also, n.n = s.noun, s.plural, s.article, s.quantity, s.portioned, nil, 0
}

// say adds an attribute, as far as there is room.
func (n *nounPhrase) say(is *property, post bool) {
	if n.n < maxAttributes {
		n.attributes[n.n] = attribute{is, post}
		n.n++
	}
}

// idle leaves out what the noun phrase does: "two dogs sleeping are on a couch".
func (n *nounPhrase) idle() {
	kept := 0
	for _, a := range n.attributes[:n.n] {
		if !a.post || a.is.verb == 0 {
			n.attributes[kept] = a
			kept++
		}
	}
	n.n = kept
}

// order puts attributes in the order in which they are said where the caption
// does not give it.
func (n *nounPhrase) order(o *schemas.Object) {
	for i := range o.Attributes {
		if o.Attributes[i].Begin >= 0 {
			return
		}
	}
	a := n.attributes[:n.n]
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j-1].is.rank > a[j].is.rank; j-- {
			a[j-1], a[j] = a[j], a[j-1]
		}
	}
}

// articleOf gives the article of a singular noun by how its caption has it and
// how the corpus uses it.
func articleOf(n *noun, determiner string) article {
	if n.mass {
		return noArticle
	}
	switch determiner {
	case "a", "an", "another", "one", "each", "every":
		return anArticle
	case "":
		if n.usage.countable() {
			return anArticle
		}
		return noArticle
	}
	return articleAnew(n)
}

// articleAnew gives the article of a singular noun by how the corpus uses it.
func articleAnew(n *noun) article {
	switch {
	case n.usage.definite():
		return theArticle
	case n.usage.countable():
		return anArticle
	case n.usage == usage{}:
		return anArticle
	}
	return noArticle
}

// replace puts another noun in the place of n's.
func (n *nounPhrase) replace(other *noun) {
	if n.quantity == "" && !n.plural && !n.portioned {
		n.article = articleAnew(other)
	}
	n.noun = other
}
