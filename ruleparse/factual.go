package ruleparse

import (
	"slices"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Triple is one element of FACTUAL's form.
type Triple = scenegraph.Triple

// Factual writes g in FACTUAL's conventions and linearised form. An empty graph
// is the empty string.
func (p *Parser) Factual(g *schemas.SceneGraph) string {
	ts := p.Triples(g)
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = linear(t)
	}
	return strings.Join(parts, " , ")
}

// Triples is g in FACTUAL's conventions: relations first, then attributes, then
// objects that have neither.
func (p *Parser) Triples(g *schemas.SceneGraph) []Triple {
	var out []Triple
	seen := map[Triple]bool{}
	used := make(map[string]bool)
	add := func(t Triple) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
			used[t.Subject] = true
			if t.Predicate != "" && t.Predicate != "is" {
				used[t.Object] = true
			}
		}
	}
	w := p.rewriter
	names := make([]string, len(g.Objects))
	mutual := make([]bool, len(g.Objects)) // one of them does something to another
	for i, o := range g.Objects {
		names[i] = w.rename(p.lexicon, w.names, o.Name)
		for _, a := range o.Attributes {
			if predicate, ok := p.reciprocal(a.Text); ok {
				names[i], mutual[i] = w.rename(p.lexicon, w.names, p.one(o.Name)), true
				add(Triple{Subject: names[i], Predicate: predicate, Object: names[i]})
			}
		}
	}
	for i := range g.Relations {
		e := &g.Relations[i]
		if byPronoun(g, e) || located(g, i) {
			continue
		}
		s, o := names[e.Subject], names[e.Object]
		r := w.predicate(p.lexicon, g, i)
		if r.turned {
			s, o = o, s
		}
		add(Triple{Subject: s, Predicate: r.text, Object: o})
	}
	for i, o := range g.Objects {
		name := names[i]
		for _, a := range o.Attributes {
			if mutual[i] {
				if _, said := p.reciprocal(a.Text); said {
					continue
				}
			}
			if how, colour, ok := strings.Cut(a.Text, " "); ok && oneOf(wearing, how) && oneOf(colours, colour[strings.LastIndexByte(colour, ' ')+1:]) {
				add(Triple{Subject: name, Predicate: p.verb(how), Object: colour})
				continue
			}
			if how, ok := strings.CutSuffix(a.Text, "on display"); ok {
				if how != "" {
					how = p.verb(strings.TrimSpace(how)) + " "
				}
				add(Triple{Subject: name, Predicate: how + "on", Object: "display"})
				continue
			}
			if what, how, ok := strings.Cut(a.Text, " "); ok && oneOf(coverings, how) {
				t := Triple{Subject: w.rename(p.lexicon, w.names, what), Predicate: p.verb(how), Object: name}
				if how == "filled" { // the gold turns only this one
					t = Triple{Subject: name, Predicate: "fill with", Object: t.Subject}
				}
				add(t)
				continue
			}
			if like, part := ofPart(a.Text); part.noun != "" {
				if part.reversed {
					add(Triple{Subject: part.noun, Predicate: part.predicate, Object: name})
				} else {
					add(Triple{Subject: name, Predicate: part.predicate, Object: part.noun})
				}
				if like != "" {
					add(Triple{Subject: part.noun, Predicate: "is", Object: w.rename(p.lexicon, w.attributes, like)})
				}
				continue
			}
			add(Triple{Subject: name, Predicate: "is", Object: w.rename(p.lexicon, w.attributes, a.Text)})
		}
		if q := w.rename(p.lexicon, w.quantities, o.Quantity); q != "" && !mutual[i] && !heaped(o.Quantity) {
			add(Triple{Subject: name, Predicate: "is", Object: q})
		}
	}
	for _, name := range names {
		if !used[name] {
			add(Triple{Subject: name})
		}
	}
	return out
}

// A madeOf is a participle that says what a thing has, and how FACTUAL says so.
type madeOf struct {
	participle, predicate, noun string
	reversed                    bool // the noun is the subject
}

var madeOfs = [...]madeOf{
	{"fenced", "around", "fence", true},
	{"fenced in", "around", "fence", true},
	{"fenced off", "around", "fence", true},
	{"framed", "have", "frame", false},
	{"haired", "have", "hair", false},
	{"lined up", "in", "line", false},
	{"shirted", "have", "shirt", false},
	{"sleeved", "have", "sleeve", false},
	{"tiled", "on", "tile", true},
	{"wheeled", "have", "wheels", false},
}

// ofPart takes an attribute apart that says what a thing has and what that is like:
// "dark haired".
func ofPart(text string) (like string, part madeOf) {
	for _, m := range madeOfs {
		rest, ok := strings.CutSuffix(text, m.participle)
		if ok && (rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "-")) {
			return strings.TrimRight(rest, " -"), m
		}
	}
	return "", madeOf{}
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

// located reports whether relation i says only that one object is with another which is said to be
// somewhere at it: FACTUAL leaves that out ("a tower with a clock on top").
func located(g *schemas.SceneGraph, i int) bool {
	e, near := &g.Relations[i], g.Relations[max(0, i-maxBack):min(i+maxBack, len(g.Relations))]
	return e.Lemma == "with" && slices.ContainsFunc(near, func(r schemas.Relation) bool {
		return r.Subject == e.Object && r.Object == e.Subject && (r.Begin > e.End || r.Begin == schemas.NoOffset)
	})
}
