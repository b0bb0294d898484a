// Package factual writes scene graphs in the form and the conventions of FACTUAL (Li et al. 2023).
// The conventions were learned from its training part.
package factual

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Linearise returns g in FACTUAL's conventions and linearised form. several tells whether the text
// has several sentences.
func (w *Rewriter) Linearise(g *schemas.SceneGraph, several bool) string {
	ts := w.Triples(g, several)
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = lineariseTriple(t)
	}
	return strings.Join(parts, " , ")
}

// Word lists for the different kinds of attributes.
var (
	wearing   = wordclass.Words("wearing")
	colours   = wordclass.Words("colours")
	coverings = wordclass.Words("coverings")
	heaps     = wordclass.Words("heaps")
	sets      = wordclass.Words("sets")
	dressed   = wordclass.Words("dressed")
	adorned   = wordclass.Words("adorned")
)

// maxNearby is how many relations before and after a relation are compared with it.
const maxNearby = 24

// tripleList is a list of triples without duplicates.
type tripleList struct {
	all  []scenegraph.Triple
	seen map[scenegraph.Triple]bool
	used map[string]bool // the things that a triple names
}

// add appends the triples that the list does not have.
func (l *tripleList) add(triples ...scenegraph.Triple) {
	for _, t := range triples {
		if l.seen[t] {
			continue
		}
		l.seen[t] = true
		l.all = append(l.all, t)
		l.used[t.Subject] = true
		if t.Predicate != "" && t.Predicate != "is" {
			l.used[t.Object] = true
		}
	}
}

// Triples returns g in FACTUAL's conventions: relations first, then attributes, then objects that
// have neither. If the text has several sentences, it uses DiscoSG's conventions too.
func (w *Rewriter) Triples(g *schemas.SceneGraph, several bool) []scenegraph.Triple {
	l := tripleList{seen: map[scenegraph.Triple]bool{}, used: make(map[string]bool)}
	names := make([]string, len(g.Objects))
	mutual := make([]bool, len(g.Objects)) // by object: it has a reciprocal attribute, such as "next to each other"
	for i, o := range g.Objects {
		names[i] = w.rewriteText(w.names, o.Name)
		for _, a := range o.Attributes {
			if predicate, ok := w.reciprocalPredicate(a.Text); ok {
				names[i], mutual[i] = w.rewriteText(w.names, w.singularName(o.Name)), true
				l.add(scenegraph.Triple{Subject: names[i], Predicate: predicate, Object: names[i]})
			}
		}
	}
	for i := range g.Relations {
		e := &g.Relations[i]
		if !several && isOwnedByPronoun(g, e) || isImpliedByPlace(g, i) {
			continue
		}
		s, o := names[e.Subject], names[e.Object]
		r := w.choosePredicate(g, i)
		if several && !r.Reversed {
			r = discourseForm(r.Text)
		}
		if r.Reversed {
			s, o = o, s
		}
		l.add(scenegraph.Triple{Subject: s, Predicate: r.Text, Object: o})
	}
	for i, o := range g.Objects {
		for _, a := range o.Attributes {
			if _, said := w.reciprocalPredicate(a.Text); !said || !mutual[i] {
				l.add(w.attributeTriples(names[i], a.Text)...)
			}
		}
		if q := w.rewriteText(w.quantities, o.Quantity); q != "" && !mutual[i] && !isHeap(o.Quantity) {
			l.add(scenegraph.Triple{Subject: names[i], Predicate: "is", Object: q})
		}
	}
	for _, name := range names {
		if !l.used[name] {
			l.add(scenegraph.Triple{Subject: name})
		}
	}
	if several {
		return w.discourseTriples(l.all)
	}
	return l.all
}

// attributeTriples returns the triples of an attribute of a thing: mostly one with "is", but "wearing red", "on display",
// "snow covered" and "long haired" are relations.
func (w *Rewriter) attributeTriples(name, attribute string) []scenegraph.Triple {
	if how, colour, ok := strings.Cut(attribute, " "); ok && wordclass.Has(wearing, how) && wordclass.Has(colours, colour[strings.LastIndexByte(colour, ' ')+1:]) {
		return []scenegraph.Triple{{Subject: name, Predicate: w.verbBase(how), Object: colour}}
	}
	if how, ok := strings.CutSuffix(attribute, "on display"); ok {
		if how != "" {
			how = w.verbBase(strings.TrimSpace(how)) + " "
		}
		return []scenegraph.Triple{{Subject: name, Predicate: how + "on", Object: "display"}}
	}
	if what, how, ok := strings.Cut(attribute, " "); ok && wordclass.Has(coverings, how) {
		cover := w.rewriteText(w.names, what)
		if how == "filled" { // FACTUAL's graphs reverse only this one
			return []scenegraph.Triple{{Subject: name, Predicate: "fill with", Object: cover}}
		}
		return []scenegraph.Triple{{Subject: cover, Predicate: w.verbBase(how), Object: name}}
	}
	if like, part := splitPartParticiple(attribute); part.noun != "" {
		t := []scenegraph.Triple{{Subject: name, Predicate: part.predicate, Object: part.noun}}
		if part.reversed {
			t[0].Subject, t[0].Object = part.noun, name
		}
		if like != "" {
			t = append(t, scenegraph.Triple{Subject: part.noun, Predicate: "is", Object: w.rewriteText(w.attributes, like)})
		}
		return t
	}
	return []scenegraph.Triple{{Subject: name, Predicate: "is", Object: w.rewriteText(w.attributes, attribute)}}
}

// A partParticiple is a participle that names a part of a thing, such as "haired", with the
// relation that FACTUAL's annotators write in its place.
type partParticiple struct {
	participle, predicate, noun string
	reversed                    bool // the part is the subject
}

var partParticiples = [...]partParticiple{
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

// splitPartParticiple splits an attribute such as "dark haired" into the part and a description of the part:
// "dark" and the entry for "haired".
func splitPartParticiple(text string) (like string, part partParticiple) {
	for _, m := range partParticiples {
		rest, ok := strings.CutSuffix(text, m.participle)
		if ok && (rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "-")) {
			return strings.TrimRight(rest, " -"), m
		}
	}
	return "", partParticiple{}
}

func lineariseTriple(t scenegraph.Triple) string {
	if t.Predicate == "" {
		return "( " + t.Subject + " )"
	}
	return "( " + t.Subject + " , " + t.Predicate + " , " + t.Object + " )"
}

// isOwnedByPronoun reports whether the owner in a relation "have" is named by a pronoun: "his hat".
// FACTUAL leaves out such relations. Possession by a noun has the owner right before the object:
// "the dog's tail".
func isOwnedByPronoun(g *schemas.SceneGraph, e *schemas.Relation) bool {
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

// isImpliedByPlace reports whether relation i says only "with", and a second relation gives the
// place of its object at its subject: "a tower with a clock on top". FACTUAL leaves out relation i.
func isImpliedByPlace(g *schemas.SceneGraph, i int) bool {
	e, near := &g.Relations[i], g.Relations[max(0, i-maxNearby):min(i+maxNearby, len(g.Relations))]
	return e.Lemma == "with" && slices.ContainsFunc(near, func(r schemas.Relation) bool {
		return r.Subject == e.Object && r.Object == e.Subject && (r.Begin > e.End || r.Begin == schemas.NoOffset)
	})
}

// reciprocalPredicate returns the predicate of a reciprocal attribute, as FACTUAL writes it between
// two objects: "stand next to" for "standing next to each other".
func (w *Rewriter) reciprocalPredicate(attribute string) (predicate string, ok bool) {
	for _, end := range [...]string{" each other", " one another", "side by side"} {
		if predicate, ok = strings.CutSuffix(attribute, end); !ok {
			continue
		}
		if end == "side by side" {
			predicate += "side by side with"
		}
		verb, rest, _ := strings.Cut(predicate, " ")
		predicate = strings.TrimSuffix(w.verbBase(verb)+" "+rest, " ")
		if o := w.predicates[predicate]; len(o) > 0 && !o[0].Reversed {
			predicate = o[0].Text
		}
		return predicate, true
	}
	return "", false
}

// verbBase returns the base form of s if s is a verb, else s.
func (w *Rewriter) verbBase(s string) string {
	return w.lexicon.BaseForm(s, w.lexicon.Find(s, linear.Hash(s)), 1)
}

// singularName returns the name of one object of several: "zebra" for "zebras".
func (w *Rewriter) singularName(name string) string {
	cut := strings.LastIndexByte(name, ' ') + 1
	head := name[cut:]
	return name[:cut] + w.lexicon.BaseForm(head, w.lexicon.Find(head, linear.Hash(head)), 0)
}

// isHeap reports whether a quantity is a heap or a set, which FACTUAL's form cannot express.
func isHeap(quantity string) bool {
	noun, of := strings.CutSuffix(quantity, " of")
	noun = noun[strings.LastIndexByte(noun, ' ')+1:]
	return of && (wordclass.Has(heaps, noun) || wordclass.Has(sets, noun))
}
