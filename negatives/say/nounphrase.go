package say

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

func (n *NounPhrase) hash() uint64 {
	h := n.Noun.Hash
	if n.Plural {
		h++
	}
	if n.Quantity != "" {
		h = grammar.Mixed(h ^ xxhash.Sum64String(n.Quantity))
	}
	for _, a := range n.Attributes[:n.N] {
		h = grammar.Mixed(h ^ a.Is.Hash)
	}
	if n.Worn != nil {
		h = grammar.Mixed(h ^ n.Worn.hash())
	}
	return h
}

// isPlural reports whether the noun phrase takes "are".
func (n *NounPhrase) isPlural() bool { return n.Also != nil || n.takesAre() }

// takesAre reports whether the noun with its quantity takes "are", and so follows "there are": "two
// men" do, "a group of men" does not.
func (n *NounPhrase) takesAre() bool {
	if what, ok := strings.CutPrefix(n.Quantity, "a "); ok {
		what, _, _ = strings.Cut(what, " of")
		return n.Plural && slices.Contains(manifold, what)
	}
	first, _, _ := strings.Cut(n.Quantity, " ")
	return n.Plural && first != "one" && first != "each" || strings.HasSuffix(n.Quantity, " of") && grammar.IsSeveral(first) // "two slices of cake are"
}

// manifold are nouns of quantities that take a plural verb: "a lot of cars are".
var manifold = []string{"couple", "dozen", "few", "handful", "lot", "number"}

// Sayable reports whether the noun, its quantity and all its attributes can be put into words.
func (n *NounPhrase) Sayable() bool {
	for i := range n.N {
		if !n.Attributes[i].Is.Sayable {
			return false
		}
	}
	return n.Noun.Sayable && (n.Quantity == "" || grammar.Sayable(n.Quantity))
}

func (n *NounPhrase) name() string {
	if n.Plural {
		return n.Noun.Many
	}
	return n.Noun.Key
}

// mayFollow reports whether the first attribute may be put after the noun: "a bus that is red", but
// not after a proper name.
func (n *NounPhrase) mayFollow() bool { return !n.Named && n.Attributes[0].Is.Predicative }

// AppendNounPhrase appends a noun phrase in words: quantity or article, attributes in their order,
// noun, and attributes that follow it. If that is set, attributes follow the noun as in "that is
// red".
func AppendNounPhrase(dst []byte, n *NounPhrase, that bool) []byte {
	that = that && n.mayFollow()
	if n.Quantity != "" {
		dst = append(append(dst, n.Quantity...), ' ')
	} else if !n.Plural || n.Named {
		dst = append(dst, n.articleText(that)...)
	}
	var last *words.Property
	for _, a := range n.Attributes[:n.N] {
		if a.Post || that {
			continue
		}
		if last != nil && last.Colour && a.Is.Colour { // "black and white"
			dst = append(dst, "and "...)
		}
		last = a.Is
		dst = append(append(dst, a.Is.Text...), ' ')
	}
	dst = append(dst, n.name()...)
	clause := false // after "that is"
	for _, a := range n.Attributes[:n.N] {
		if !a.Post && !that {
			continue
		}
		switch {
		case !that && a.Is.Alone:
			clause = false
		case clause: // "that is black and white"
			dst = append(dst, " and"...)
		default:
			dst = append(dst, n.who()...)
			dst = append(dst, is(n.isPlural())...)
			clause = true
		}
		dst = append(append(dst, ' '), a.Is.Text...)
	}
	if n.Written != "" {
		if dst = append(dst, " and"...); !clause {
			dst = append(dst[:len(dst)-len(" and")], " that"...)
		}
		if dst = append(dst, " say"...); !n.isPlural() {
			dst = append(dst, 's')
		}
		dst = append(append(append(dst, ` "`...), n.Written...), '"')
	}
	if n.Worn != nil {
		dst = AppendNounPhrase(append(dst, " in "...), n.Worn, false)
	}
	if n.Also != nil {
		also := NounPhrase{Noun: n.Also, Article: AnArticle}
		dst = AppendNounPhrase(append(dst, " and "...), &also, false)
	}
	return dst
}

// who returns " who " or " that ", which begins a clause about the noun.
func (n *NounPhrase) who() string {
	if n.Noun.Person {
		return " who "
	}
	return " that "
}

// articleText returns the article of a noun phrase and a space. that is as in AppendNounPhrase.
func (n *NounPhrase) articleText(that bool) string {
	switch n.Article {
	case NoArticle:
		return ""
	case TheArticle:
		return "the "
	}
	an := n.Noun.An
	for i := range n.N {
		if a := &n.Attributes[i]; !a.Post && !that {
			an = a.Is.An
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

// Begin sets n to the noun phrase of an object without its attributes.
func (n *NounPhrase) Begin(s *Spoken) {
	n.Noun, n.Plural, n.Named, n.Article, n.Quantity, n.Some, n.portioned, n.Also, n.Worn, n.Written, n.N = s.Noun, s.Plural, s.Name, s.article, s.Quantity, s.Some, s.portioned, nil, nil, "", 0
}

// Say adds an attribute, unless there are MaxAttributes or the attribute is there already.
func (n *NounPhrase) Say(is *words.Property, post bool) {
	said := slices.ContainsFunc(n.Attributes[:n.N], func(a Attribute) bool { return a.Is == is })
	if n.N < MaxAttributes && !said {
		n.Attributes[n.N] = Attribute{is, post}
		n.N++
	}
}

// RemoveVerbs removes attributes that say what the noun does, since a relation follows: no "two dogs
// sleeping are on a couch".
func (n *NounPhrase) RemoveVerbs() {
	kept := 0
	for _, a := range n.Attributes[:n.N] {
		if !a.Post || a.Is.Verb == 0 {
			n.Attributes[kept] = a
			kept++
		}
	}
	n.N = kept
}

// Order sorts attributes into their usual order if the caption does not say their order.
func (n *NounPhrase) Order(o *schemas.Object) {
	for i := range o.Attributes {
		if o.Attributes[i].Begin >= 0 {
			return
		}
	}
	a := n.Attributes[:n.N]
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j-1].Is.Rank > a[j].Is.Rank; j-- {
			a[j-1], a[j] = a[j], a[j-1]
		}
	}
}

// Replace replaces the noun by another.
func (n *NounPhrase) Replace(other *words.Noun) {
	if n.Quantity == "" && !n.Plural && !n.portioned {
		n.Article = ArticleAnew(other)
	}
	n.Noun, n.Named = other, other.Name
}
