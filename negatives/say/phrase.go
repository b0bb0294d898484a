package say

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// MaxAttributes is the greatest number of attributes of a noun phrase.
const MaxAttributes = 6

// Attribute is an attribute in a noun phrase. Post is set if it is after the noun.
type Attribute struct {
	Is   *words.Property
	Post bool
}

// NounPhrase is an object with its attributes, and how they are worded.
type NounPhrase struct {
	Noun       *words.Noun
	Plural     bool
	Named      bool // by a proper name, in its caption or always
	Article    Article
	Quantity   string
	Some       bool // some of several: the others may have a replaced property
	portioned  bool
	Also       *words.Noun // another thing beside it: "a dog and a cat"
	Worn       *NounPhrase // what the person wears: "a woman in a yellow raincoat"
	Written    string      // the words on it: "a sign that says "STOP""
	Attributes [MaxAttributes]Attribute
	N          int
}

// Phrase is a sub-graph and how it is worded: one noun phrase, or two with a relation.
type Phrase struct {
	Subject, Object NounPhrase
	Relation        *words.Relation // nil for one noun phrase
	Template        *template
}

// template is a way to word a sub-graph. lead begins with "there is" or "there are". be puts "is"
// or "are" between subject and relation. that puts the only attribute after the noun. at puts the
// object before the subject.
type template struct {
	lead, be, that, at bool
	weight             uint64
	Example            string
}

// The templates for one object and for a relation, chosen by weight. The examples are for a red
// bus, and for two men riding a bus.
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

// At reports whether the template puts the object of a relation first.
func (t *template) At() bool { return t != nil && t.at }

// Hash returns a hash of a phrase's meaning: its nouns, attributes and relation, whatever its
// template.
func (p *Phrase) Hash() uint64 {
	h := p.Subject.hash()
	if p.Relation != nil {
		h = grammar.Mixed(grammar.Mixed(h^p.Relation.Hash) ^ p.Object.hash())
	}
	return h
}

// ChooseTemplate returns a template chosen by a hash, in proportion to the weights.
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

// AppendPhrase appends p in words.
func AppendPhrase(dst []byte, p *Phrase) []byte {
	t := p.Template
	if t == nil {
		return appendPlain(dst, p)
	}
	if t.lead {
		dst = append(dst, "there "...)
		dst = append(dst, is(p.Subject.takesAre())...)
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

// appendPlain appends p in words as MosaiCLIP's "{N1} {R} {N2}" (§3.3).
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

// FitsTemplate reports whether the phrase fits its template: after "there is" or "there are" it must have
// "a", a number or a plural, and no proper name.
func (p *Phrase) FitsTemplate() bool {
	n := &p.Subject
	return p.Template == nil || !p.Template.lead || !n.Named && (n.Plural || n.Quantity != "" || n.Article == AnArticle)
}

// HasClause reports whether the template puts the subject's only attribute into a clause: "a bus that
// is red".
func (p *Phrase) HasClause() bool { return p.Template != nil && p.Template.that && p.Subject.N == 1 }

// HasAttributeAfter reports whether an attribute is after the noun, such as "sleeping" in "a dog sleeping".
func (n *NounPhrase) HasAttributeAfter() bool {
	return slices.ContainsFunc(n.Attributes[:n.N], func(a Attribute) bool { return a.Post })
}

// UseRelationTemplate replaces the template of a phrase of one object by the template for relations that begins
// in the same way.
func (p *Phrase) UseRelationTemplate() {
	if p.Template == nil {
		return
	}
	p.Template = &RelationTemplates[slices.IndexFunc(RelationTemplates, func(t template) bool { return t.lead == p.Template.lead && !t.be })]
}

// hasVerbAfter reports whether an attribute after the noun is a verb: "a dog sleeping".
func (n *NounPhrase) hasVerbAfter() bool {
	for _, a := range n.Attributes[:n.N] {
		if a.Post && a.Is.Verb != 0 {
			return true
		}
	}
	return false
}

// Category returns ofRelation, or f_obj if the phrase has no relation.
func (p *Phrase) Category(ofRelation string) string {
	if p.Relation != nil {
		return ofRelation
	}
	return schemas.CategoryObject
}

// ThingActs reports whether a lifeless thing acts on something living: "a monitor looking at a
// cat".
func (p *Phrase) ThingActs() bool {
	return p.Relation.Verb != "" && p.Object.Noun.Alive() && !p.Subject.Noun.Alive()
}
