package ruleparse

import (
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Triple is one element of FACTUAL's form.
type Triple = scenegraph.Triple

// Factual writes the graph of x in FACTUAL's conventions and linearised form. An
// empty graph is the empty string.
func (p *Parser) Factual(x *schemas.Parsed) string {
	ts := p.Triples(x)
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = linear(t)
	}
	return strings.Join(parts, " , ")
}

// Triples is the graph of x in FACTUAL's conventions, without what its annotators
// would hardly write: relations first, then attributes, then objects that have
// neither.
func (p *Parser) Triples(x *schemas.Parsed) []Triple {
	return triples(p.omit(x, p.claims(&x.Graph)))
}

// claim is a triple that a graph says in FACTUAL's form.
type claim struct {
	Triple
	subject, object int                // the first objects of the graph that have these names
	relation        *schemas.Relation  // it comes from, or nil
	attribute       *schemas.Attribute // it comes from, or nil
}

// claims are what g says in FACTUAL's form, each once: relations, attributes, and all
// objects.
func (p *Parser) claims(g *schemas.SceneGraph) []claim {
	var out []claim
	seen := map[Triple]bool{}
	add := func(c claim) {
		if !seen[c.Triple] {
			seen[c.Triple] = true
			out = append(out, c)
		}
	}
	w := p.rewriter
	names := make([]string, len(g.Objects))
	mutual := make([]bool, len(g.Objects)) // one of them does something to another
	at := make(map[string]int, len(g.Objects))
	for i, o := range g.Objects {
		name := o.Name
		for _, a := range o.Attributes {
			if _, ok := p.reciprocal(a.Text); ok {
				name, mutual[i] = p.one(o.Name), true
			}
		}
		names[i] = w.rename(p.lexicon, w.names, name)
		if _, ok := at[names[i]]; !ok {
			at[names[i]] = i
		}
	}
	for i, name := range names {
		for k, a := range g.Objects[i].Attributes {
			if predicate, ok := p.reciprocal(a.Text); ok {
				add(claim{triple(name, predicate, name), at[name], at[name], nil, &g.Objects[i].Attributes[k]})
			}
		}
	}
	for i := range g.Relations {
		e := &g.Relations[i]
		if byPronoun(g, e) {
			continue
		}
		s, o := names[e.Subject], names[e.Object]
		r := w.predicate(p.lexicon, g, i)
		if r.turned {
			s, o = o, s
		}
		add(claim{triple(s, r.text, o), at[s], at[o], e, nil})
	}
	for i, o := range g.Objects {
		name := names[i]
		about := func(t Triple, a *schemas.Attribute) { add(claim{t, at[name], at[name], nil, a}) }
		for k := range o.Attributes {
			a := &o.Attributes[k]
			if mutual[i] {
				if _, said := p.reciprocal(a.Text); said {
					continue
				}
			}
			if how, colour, ok := strings.Cut(a.Text, " "); ok && oneOf(wearing, how) && oneOf(colours, colour[strings.LastIndexByte(colour, ' ')+1:]) {
				about(triple(name, p.verb(how), colour), a)
				continue
			}
			if what, how, ok := strings.Cut(a.Text, " "); ok && oneOf(coverings, how) {
				about(triple(w.rename(p.lexicon, w.names, what), p.verb(how), name), a)
				continue
			}
			about(triple(name, "is", w.rename(p.lexicon, w.attributes, a.Text)), a)
		}
		if q := w.rename(p.lexicon, w.quantities, o.Quantity); q != "" && !mutual[i] {
			about(triple(name, "is", q), nil)
		}
	}
	for _, name := range names {
		add(claim{triple(name, "", ""), at[name], at[name], nil, nil})
	}
	return out
}

func triple(subject, predicate, object string) Triple {
	return Triple{Subject: subject, Predicate: predicate, Object: object}
}

// triples are cs without the objects that others of them name.
func triples(cs []claim) []Triple {
	var out []Triple
	used := make(map[string]bool)
	for _, c := range cs {
		if c.Predicate == "" && used[c.Subject] {
			continue
		}
		out = append(out, c.Triple)
		used[c.Subject] = true
		if c.Predicate != "is" {
			used[c.Object] = true
		}
	}
	return out
}

// Tuples takes triples apart as SPICE counts them (Anderson et al. 2016, section
// 3.2): each object, each attribute of an object, each relation, once.
func Tuples(ts []Triple) map[Triple]bool {
	m := make(map[Triple]bool, 3*len(ts))
	for _, t := range ts {
		m[Triple{Subject: t.Subject}] = true
		if t.Predicate != "" {
			m[t] = true
			if t.Predicate != "is" {
				m[Triple{Subject: t.Object}] = true
			}
		}
	}
	return m
}

func linear(t Triple) string {
	if t.Predicate == "" {
		return "( " + t.Subject + " )"
	}
	return "( " + t.Subject + " , " + t.Predicate + " , " + t.Object + " )"
}

// byPronoun reports whether a pronoun says who owns: FACTUAL leaves that out.
// Other implied possession joins neighbours ("the dog's tail").
func byPronoun(g *schemas.SceneGraph, e *schemas.Relation) bool {
	const clitic = 4 // bytes: " 's "
	s, o := &g.Objects[e.Subject], &g.Objects[e.Object]
	if e.Lemma != "have" || e.Begin != schemas.NoOffset || s.Begin == schemas.NoOffset || o.Begin < s.End {
		return false
	}
	begin := o.Begin
	for _, a := range o.Attributes {
		if a.Begin >= s.End {
			begin = min(begin, a.Begin)
		}
	}
	return begin-s.End > clitic
}
