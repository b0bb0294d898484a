package grammar

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/truth"
)

var (
	Symmetrics = truth.Truths["symmetric"]
)

// ClassOf returns the class of a relation: its place ("sitting on" and "atop" are both "on"), else
// the last word of its preposition, else its verb.
func ClassOf(r *Predicate) string {
	if r.Prep == "" {
		return r.Verb
	}
	for i := range truth.Places {
		if p := &truth.Places[i]; p.Place == r.Place {
			return p.Words[0]
		}
	}
	return r.Prep[strings.LastIndexByte(r.Prep, ' ')+1:]
}

// Predicate is a relation in the form that it has between two noun phrases ("sitting on", "covered
// with", "next to"): without auxiliaries, with finite verbs as -ing forms.
type Predicate struct {
	Key  string
	Verb string // base form of its verb, or ""
	Prep string // the words after the verb, or all if there is no verb
	// Be reports whether "a man is …" is grammatical with it. Gerund reports whether it begins with
	// an -ing form.
	Be, Gerund bool
	Symmetric  bool
	Place      truth.Place
}

// Canonical returns a predicate in the form that it has between two noun phrases (see Predicate),
// or "" if it has none. lemma is its base form; both come from schemas.Relation.
func Canonical(in *lexicon.Inflector, predicate, lemma string) string {
	rest, be, have := predicate, false, false
	first, after := Cut(rest)
	base, _ := Cut(lemma)
	for after != "" && (wordclass.Has(Auxiliaries, first) || wordclass.Has(Fillers, first)) {
		if first == "to" && base == "to" {
			return rest // "to the left of"
		}
		have = have || first == "has" || first == "have" || first == "had"
		be = be || first != "to" && !wordclass.Has(Fillers, first) && !have
		rest = after
		first, after = Cut(rest)
	}
	if base == first && strings.HasSuffix(base, "s") && !strings.HasSuffix(base, "ss") {
		base = strings.TrimSuffix(in.Singular(base), "e") // a finite form as the lemma: "flies"
		if first != in.ThirdPerson(base) {
			base = in.Singular(first)
		}
	}
	if wordclass.Has(" feed seed weed ", first) {
		base = first // not "fed", the past of "fee"
	}
	if place, _ := Cut(after); wordclass.Has(Transitive, base) && wordclass.Has(situating, place) && (isGerund(in, first) || first == base || first == in.ThirdPerson(base)) {
		return after
	}
	switch {
	case wordclass.Has(Clauses, first), wordclass.Has(unrelated, first), wordclass.Has(" "+rest+" ", "that"):
		return ""
	case slices.Contains(Having, rest):
		return "with"
	case wordclass.Has(Auxiliaries, rest):
		return ""
	case isGerund(in, first) || wordclass.Has(Prepositions, first):
		return rest
	case be || have || base == "" || base == "be" || wordclass.Has(adjectives, first):
		return rest
	case first == in.ThirdPerson(base) || first == base,
		after == "" && first == in.Past(base) && strings.HasSuffix(first, "ed") && !wordclass.Has(naming, first), // "visited a city"
		first == in.Past(base) && (first != in.Participle(base) || !strings.HasSuffix(first, "ed") && !strings.HasPrefix(after, "by")):
		if wordclass.Has(passive, first) {
			return rest
		}
		return Join(in.Gerund(base), after)
	}
	return rest
}

// isGerund reports whether a word is an -ing form: not "swing".
func isGerund(in *lexicon.Inflector, word string) bool {
	return strings.HasSuffix(word, "ing") && !in.IsIrregular(word)
}

// Prepositions are words that begin a relation without a verb.
const Prepositions = ` on in at by of with under below beneath underneath above over behind near beside between among amongst along
across through around into onto upon atop inside within outside off from to toward towards against about after before down up past
beyond during for like without via amid alongside next close far left right front top opposite surrounding adjacent away out as
in-between aboard and together throughout astride onboard on-board besides ahead instead outdoors indoors north south east west `

// Having are verbs that Canonical turns into "with".
var Having = []string{"has", "have", "having", "had", "'s", "possess"}

// NewPredicate analyses a canonical form. lemma, if known, gives the verb's base form.
func NewPredicate(lex *lexicon.Lexicon, in *lexicon.Inflector, key, lemma string) Predicate {
	r := Predicate{Key: strings.Clone(key)}
	first, after := Cut(r.Key)
	if wordclass.Has(Prepositions, first) {
		r.Prep = r.Key
		r.Be = !wordclass.Has(unaccompanied, first)
	} else {
		r.Gerund = isGerund(in, first)
		r.Verb, r.Prep, r.Be = first, after, r.Gerund || strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "en")
		if base, _ := Cut(lemma); base != "" && lex.VerbSenses(base) != nil {
			r.Verb = strings.Clone(base)
		} else if b, ok := BaseForm(lex, in, first); ok {
			r.Verb = b
		}
		r.Be = r.Be && !wordclass.Has(stative, r.Verb) && r.Key != "looking like"
	}
	switch {
	case r.Prep == "by" && r.Verb != "" && !r.Gerund: // "surrounded by" is not a place
	case r.Prep == "on" && wordclass.Has(doneOn, r.Verb):
	default:
		r.Place = truth.PlaceOf(r.Prep)
	}
	r.Symmetric = symmetric(&r)
	return r
}

// BaseForm returns the base form of an inflected verb: "sit" for "sitting". It is false if there is
// none.
func BaseForm(lex *lexicon.Lexicon, in *lexicon.Inflector, form string) (string, bool) {
	if b, ok := in.IrregularBase(form); ok {
		return b, true
	}
	for _, suffix := range []string{"ing", "ed"} {
		stem, ok := strings.CutSuffix(form, suffix)
		if !ok || len(stem) < 2 {
			continue
		}
		if in.IsIrregular(stem) { // "swinging" is not from "swinge"
			return stem, true
		}
		if n := len(stem) - 1; stem[n] == stem[n-1] && in.IsIrregular(stem[:n]) { // "putting" is not from "putt"
			return stem[:n], true
		}
		tries := []string{stem + "e", stem, stem[:len(stem)-1], stem[:len(stem)-1] + "ie", stem[:len(stem)-1] + "y"}
		for _, b := range tries {
			if lex.VerbSenses(b) != nil && (in.Gerund(b) == form || in.Past(b) == form || b+"l" == stem) { // "travelling"
				return b, true
			}
		}
	}
	return form, false
}

// symmetric reports whether a relation is true in both directions: "next to".
func symmetric(r *Predicate) bool {
	if r.Place == truth.Beside || r.Place == truth.Nearby {
		return true
	}
	for i := range Symmetrics {
		if s := &Symmetrics[i]; (s.Words == "*" || s.Words == r.Verb) && (s.Others == "*" || s.Others == r.Prep) {
			return true
		}
	}
	return false
}
