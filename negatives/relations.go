package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// predicate is what relates two things, in the form in which it stands between two noun
// phrases ("sitting on", "covered with", "next to"): without auxiliaries,
// finite verbs as -ing forms.
type predicate struct {
	key  string
	verb string // base form of its verb, empty where there is none
	prep string // what follows the verb, or all of it
	// be holds where "a man is …" can be said, gerund where it begins with an -ing form.
	be, gerund bool
	symmetric  bool
	place      place
}

// relation is what is known of a predicate.
type relation struct {
	predicate
	does    *verb // nothing is known of no verb
	sayable bool
	// id is that of all relations with this key, hash is of the key.
	id   uint32
	hash uint64
	// subjects and objects are those that the corpus has, or any where it has few.
	subjects, objects *candidates
	// class is the number of its class in the vocabulary, 0 where that has none;
	// acting are the heads that its verb is said of, and misplaced those that are hardly ever the object of its class.
	class     uint32
	hashes    hashes
	acting    *heads
	misplaced headSet
	// replaces holds where it says enough to be put in another's place.
	replaces bool
}

// canonical gives a predicate's form between two noun phrases. lemma is its base
// form; both come from schemas.Relation.
func canonical(in *lexicon.Inflector, predicate, lemma string) string {
	rest, be, have := predicate, false, false
	first, after := cut(rest)
	base, _ := cut(lemma)
	for after != "" && (contains(auxiliaries, first) || contains(fillers, first)) {
		if first == "to" && base == "to" {
			return rest // "to the left of"
		}
		have = have || first == "has" || first == "have" || first == "had"
		be = be || first != "to" && !contains(fillers, first) && !have
		rest = after
		first, after = cut(rest)
	}
	if base == first && strings.HasSuffix(base, "s") && !strings.HasSuffix(base, "ss") {
		base = strings.TrimSuffix(in.Singular(base), "e") // a finite form taken for the base form: "flies"
		if first != in.ThirdPerson(base) {
			base = in.Singular(first)
		}
	}
	if contains(" feed seed weed ", first) {
		base = first // and no past of "fee"
	}
	if place, _ := cut(after); contains(transitive, base) && contains(situating, place) && (isGerund(in, first) || first == base || first == in.ThirdPerson(base)) {
		return after
	}
	switch {
	case contains(clauses, first), contains(unrelated, first), contains(" "+rest+" ", "that"):
		return ""
	case slices.Contains(having, rest):
		return "with"
	case contains(auxiliaries, rest):
		return ""
	case isGerund(in, first) || contains(prepositions, first):
		return rest
	case be || have || base == "" || base == "be" || contains(adjectives, first):
		return rest
	case first == in.ThirdPerson(base) || first == base,
		after == "" && first == in.Past(base) && strings.HasSuffix(first, "ed") && !contains(naming, first), // "visited a city"
		first == in.Past(base) && (first != in.Participle(base) || !strings.HasSuffix(first, "ed") && !strings.HasPrefix(after, "by")):
		if contains(passive, first) {
			return rest
		}
		return join(in.Gerund(base), after)
	}
	return rest
}

// isGerund holds for an -ing form, and not for "swing".
func isGerund(in *lexicon.Inflector, word string) bool {
	return strings.HasSuffix(word, "ing") && !in.Irregular(word)
}

// situating tell where or when somebody is who does something to a thing: a verb that says
// little without that thing is left out before them, and "a boy holding a kite in a field"
// is a boy in a field.
const situating = " in on at near by during beside behind next with "

// relationWords are those of relation i of a graph, and their lemma. A verb that its subject does to another
// thing, or that another verb goes on from, says little before a place without that: a girl flying a kite near a
// tree is near a tree, and a bird trying to find food in water is in water. "On" stays with the verb, since it
// may be where the other thing is ("preparing a sandwich on a plate"). Where that thing is all that is in the
// place ("putting a pizza in an oven"), both are empty.
func relationWords(g *schemas.SceneGraph, i int) (predicate, lemma string) {
	r := &g.Relations[i]
	verb, after := cut(r.Lemma)
	first, _ := cut(after)
	if after == "" || first == "on" || !contains(situating, first) || first == "at" && contains(aiming, verb) {
		return r.Predicate, r.Lemma
	}
	for j := range g.Relations {
		of := &g.Relations[j]
		switch done := of.Subject == r.Subject && (of.Lemma == verb || contains(intents, verb) && strings.HasPrefix(of.Lemma, verb+" to ")); {
		case done && contains(putting, verb):
			return "", ""
		case done:
			return after, after
		}
	}
	return r.Predicate, r.Lemma
}

// prepositions begin a relation without a verb.
const prepositions = ` on in at by of with under below beneath underneath above over behind near beside between among amongst along
across through around into onto upon atop inside within outside off from to toward towards against about after before down up past
beyond during for like without via amid alongside next close far left right front top opposite surrounding adjacent away out as
in-between aboard and together throughout astride onboard on-board besides ahead instead outdoors indoors north south east west `

func cut(s string) (first, after string) {
	first, after, _ = strings.Cut(s, " ")
	return first, after
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

func contains(list, word string) bool { return wordclass.Has(list, word) }

// relationOf gives the relation that a text says, of which a lemma is known or empty.
func (w *words) relationOf(text, lemma string) *relation {
	id := idOf(text, lemma)
	if r, ok := w.relation[id]; ok {
		return r
	}
	r := &relation{predicate: newPredicate(w.lexicon, w.inflect, canonical(w.inflect, text, lemma), lemma)}
	r.does, r.sayable = w.verb(r.verb), sayable(r.key) && (r.prep != "" || !contains(postures, r.verb)) // no "standing a mountain"
	r.subjects = wider(w.candidates(SlotObject, w.vocab.list(CountSubjectOf, r.key)), w.objects)
	r.objects = wider(w.candidates(SlotObject, w.vocab.list(CountObjectOf, r.key)), w.objects)
	r.hash, r.hashes = xxhash.Sum64String(r.key), hashesOf(&r.predicate)
	r.replaces = replaceable(r) && r.sayable
	partners, class := &w.vocab.partners, classOf(&r.predicate)
	r.class, r.acting, r.misplaced = partners.classes[class], partners.acting[r.verb], partners.misplaced[class]
	w.kept += wordSize
	if w.keys[r.key] == 0 {
		w.keys[r.key] = w.nextID()
	}
	r.id = w.keys[r.key]
	w.relation[id] = r
	return r
}

// symmetricBetween holds where what a caption says between two nouns is a
// relation that is true in both directions.
func (w *words) symmetricBetween(text, lemma string) bool {
	if !w.maybeSymmetric(text, lemma) {
		return false
	}
	id := idOf(text, lemma)
	is, ok := w.between[id]
	if !ok {
		is = newPredicate(w.lexicon, w.inflect, canonical(w.inflect, text, lemma), lemma).symmetric
		w.kept += wordSize
		w.between[id] = is
	}
	return is
}

// maybeSymmetric is false for most relations that are not true in both
// directions: they neither end nor begin as one that is.
func (w *words) maybeSymmetric(text, lemma string) bool {
	switch first, _ := cut(text); {
	case w.symmetricEnds[text[strings.LastIndexByte(text, ' ')+1:]]:
		return true
	case w.lexicon.Verb(lemma) != nil:
		return w.symmetricVerbs[lemma]
	default:
		return !contains(prepositions, first) || contains(auxiliaries, first) || contains(fillers, first)
	}
}

// symmetricWords are the last words of places and prepositions that are true in
// both directions, and of what is said as "with", and the verbs that may be.
func symmetricWords() (ends, verbs map[string]bool) {
	ends, verbs = map[string]bool{}, map[string]bool{}
	for _, p := range places {
		if p.place == beside || p.place == nearby {
			for _, words := range p.words {
				ends[words[strings.LastIndexByte(words, ' ')+1:]] = true
			}
		}
	}
	for _, s := range symmetrics {
		ends[s.others[strings.LastIndexByte(s.others, ' ')+1:]] = true
		verbs[s.words] = true
	}
	for _, word := range having {
		ends[word] = true
	}
	return ends, verbs
}

// having are said as "with".
var having = []string{"has", "have", "having", "had", "'s", "possess"}

// newPredicate takes a canonical form apart. lemma, where it is known, tells the
// verb's base form.
func newPredicate(lex *lexicon.Lexicon, in *lexicon.Inflector, key, lemma string) predicate {
	r := predicate{key: strings.Clone(key)}
	first, after := cut(r.key)
	if contains(prepositions, first) {
		r.prep = r.key
		r.be = !contains(unaccompanied, first)
	} else {
		r.gerund = isGerund(in, first)
		r.verb, r.prep, r.be = first, after, r.gerund || strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "en")
		if base, _ := cut(lemma); base != "" && lex.Verb(base) != nil {
			r.verb = strings.Clone(base)
		} else if b, ok := baseForm(lex, in, first); ok {
			r.verb = b
		}
		r.be = r.be && !contains(stative, r.verb) && r.key != "looking like"
	}
	switch {
	case r.prep == "by" && r.verb != "" && !r.gerund: // "surrounded by" is no place
	case r.prep == "on" && contains(doneOn, r.verb):
	default:
		r.place = placeOf(r.prep)
	}
	r.symmetric = symmetric(&r)
	return r
}

// baseForm finds the verb of an inflected form: "sit" of "sitting".
func baseForm(lex *lexicon.Lexicon, in *lexicon.Inflector, form string) (string, bool) {
	if b, ok := in.IrregularBase(form); ok {
		return b, true
	}
	for _, suffix := range []string{"ing", "ed"} {
		stem, ok := strings.CutSuffix(form, suffix)
		if !ok || len(stem) < 2 {
			continue
		}
		if in.Irregular(stem) { // "swinging" is not of "swinge"
			return stem, true
		}
		if n := len(stem) - 1; stem[n] == stem[n-1] && in.Irregular(stem[:n]) { // "putting" is not of "putt"
			return stem[:n], true
		}
		tries := []string{stem + "e", stem, stem[:len(stem)-1], stem[:len(stem)-1] + "ie", stem[:len(stem)-1] + "y"}
		for _, b := range tries {
			if lex.Verb(b) != nil && (in.Gerund(b) == form || in.Past(b) == form || b+"l" == stem) { // "travelling"
				return b, true
			}
		}
	}
	return form, false
}
