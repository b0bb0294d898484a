package say

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// MaxAttributes is the most attributes of a noun phrase.
const MaxAttributes = 6

// Attribute is a property in the wording for a noun: before it, or after it.
type Attribute struct {
	Is   *words.Property
	Post bool
}

// NounPhrase is an object with its attributes and their wording.
type NounPhrase struct {
	Noun       *words.Noun
	Plural     bool
	Named      bool // by its caption or its noun
	Article    Article
	Quantity   string
	Some       bool // of several, and the others may have the replacement's properties
	portioned  bool
	Also       *words.Noun // mentioned with it: "a dog and a cat"
	Worn       *NounPhrase // what somebody is in: "a woman in a yellow raincoat"
	Written    string      // the words on it: "a sign that says "STOP""
	Attributes [MaxAttributes]Attribute
	N          int
}

// Phrase is a sub-graph with its wording: a noun phrase, or two with a relation.
type Phrase struct {
	Subject, Object NounPhrase
	Relation        *words.Relation // nil if there is one noun phrase
	Template        *template
}

// template is a wording of a sub-graph. lead comes first, with {is} inflected; be puts "is" or
// "are" between subject and relation; that puts the one attribute after the noun, and at puts the
// object first, and then the subject.
type template struct {
	lead, be, that, at bool
	weight             uint64
	Example            string
}

// The templates of each shape, chosen by weight; the example is of a red bus,
// and of two men riding a bus.
var (
	ObjectTemplates = []template{
		{weight: 7, Example: "a red bus"},
		{that: true, weight: 2, Example: "a bus that is red"},
		{lead: true, weight: 1, Example: "there is a red bus"},
	}
	RelationTemplates = []template{
		{weight: 5, Example: "two men riding a red bus"},
		{be: true, weight: 4, Example: "two men are riding a red bus"},
		{lead: true, weight: 1, Example: "there are two men riding a red bus"},
	}
)

// At reports whether t says the object of a relation first.
func (t *template) At() bool { return t != nil && t.at }

// Hash is equal for phrases that say the same.
func (p *Phrase) Hash() uint64 {
	h := p.Subject.hash()
	if p.Relation != nil {
		h = grammar.Mixed(grammar.Mixed(h^p.Relation.Hash) ^ p.Object.hash())
	}
	return h
}

// ChooseTemplate takes a template by a hash.
func ChooseTemplate(list []template, hash uint64) *template {
	var total uint64
	for i := range list {
		total += list[i].weight
	}
	n := hash % total
	for i := range list {
		if n < list[i].weight {
			return &list[i]
		}
		n -= list[i].weight
	}
	return &list[0]
}

// AppendPhrase says p in words.
func AppendPhrase(dst []byte, p *Phrase) []byte {
	t := p.Template
	if t == nil {
		return appendPlain(dst, p)
	}
	if t.lead {
		dst = append(dst, "there "...)
		dst = append(dst, is(p.Subject.many())...)
		dst = append(dst, ' ')
	}
	if p.Relation == nil {
		return AppendNounPhrase(dst, &p.Subject, t.that && p.Subject.N == 1)
	}
	if t.at {
		dst = append(AppendNounPhrase(dst, &p.Object, false), " with "...)
	}
	dst = AppendNounPhrase(dst, &p.Subject, false)
	dst = append(dst, ' ')
	if t.be && p.Relation.Be && (p.Relation.Verb != "" || !wordclass.Has(grammar.Times, p.Object.Noun.Head)) { // no "a boat is on a rainy day"
		dst = append(dst, is(p.Subject.isPlural())...)
		dst = append(dst, ' ')
	}
	dst = append(dst, p.Relation.Key...)
	dst = append(dst, ' ')
	switch {
	case !t.at:
		return AppendNounPhrase(dst, &p.Object, t.that && p.Object.N == 1)
	case p.Object.isPlural():
		return append(dst, "them"...)
	}
	return append(dst, "it"...)
}

// appendPlain says p as MosaiCLIP's "{N1} {R} {N2}" does (§3.3).
func appendPlain(dst []byte, p *Phrase) []byte {
	plain := func(n *NounPhrase) {
		if n.Quantity != "" {
			dst = append(append(dst, n.Quantity...), ' ')
		}
		for _, a := range n.Attributes[:n.N] {
			if !a.Post {
				dst = append(append(dst, a.Is.Text...), ' ')
			}
		}
		dst = append(dst, n.name()...)
		for _, a := range n.Attributes[:n.N] {
			if a.Post {
				dst = append(append(dst, ' '), a.Is.Text...)
			}
		}
		if n.Also != nil {
			dst = append(append(dst, " and "...), n.Also.Key...)
		}
	}
	plain(&p.Subject)
	if p.Relation != nil {
		dst = append(dst, ' ')
		dst = append(dst, p.Relation.Key...)
		dst = append(dst, ' ')
		plain(&p.Object)
	}
	return dst
}

// Reads reports whether its template reads well: "there is" with "a" or a number, or "there
// are", and no name after it.
func (p *Phrase) Reads() bool {
	n := &p.Subject
	return p.Template == nil || !p.Template.lead || !n.Named && (n.Plural || n.Quantity != "" || n.Article == AnArticle)
}

// Clause reports whether the one attribute of an object is in a clause after it: "a bus that is
// red".
func (p *Phrase) Clause() bool { return p.Template != nil && p.Template.that && p.Subject.N == 1 }

// Follows reports whether an attribute is after the noun.
func (n *NounPhrase) Follows() bool {
	return slices.ContainsFunc(n.Attributes[:n.N], func(a Attribute) bool { return a.Post })
}

// Relate sets the template of a phrase of one object to a relation's template that begins as its own.
func (p *Phrase) Relate() {
	if p.Template == nil {
		return
	}
	p.Template = &RelationTemplates[slices.IndexFunc(RelationTemplates, func(t template) bool { return t.lead == p.Template.lead && !t.be })]
}

// does reports whether an attribute after the noun says what it does.
func (n *NounPhrase) does() bool {
	for _, a := range n.Attributes[:n.N] {
		if a.Post && a.Is.Verb != 0 {
			return true
		}
	}
	return false
}

// Category returns the category of a negative that changes something of a relation: f_obj if the
// sub-graph has one object.
func (p *Phrase) Category(ofRelation string) string {
	if p.Relation != nil {
		return ofRelation
	}
	return schemas.CategoryObject
}

// ThingActs reports whether a thing does something to somebody alive: "a monitor looking at
// a cat".
func (p *Phrase) ThingActs() bool {
	return p.Relation.Verb != "" && p.Object.Noun.Alive() && !p.Subject.Noun.Alive()
}
