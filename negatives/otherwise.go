package negatives

import "strings"

// turn says a relation by the one that turns it round.
func (w *otherWords) turn(p *phrase) bool {
	to, ok := w.turned[p.relation.key]
	switch subject, object := p.subject.noun, p.object.noun; {
	case !ok, subject.vague, object.vague, p.object.does():
		return false
	case to == p.relation.key && object.size() == vast && subject.size() < vast: // "a sea near a dog"
		return false
	}
	p.subject, p.object, p.relation = p.object, p.subject, w.words.said(to)
	return true
}

// end ends a relation in other words, or says that somebody is in what they are wearing.
func (w *otherWords) end(p *phrase) bool {
	r := p.relation
	if p.subject.noun.kind == people && contains(paraphrases["garments"][0].words, p.object.noun.head) {
		switch r.key {
		case "in", "dressed in":
			p.relation = w.words.said("wearing")
			return true
		case "wearing":
			p.relation = w.words.said("in")
			return true
		}
	}
	if to, ok := w.ends[r.key]; ok {
		p.relation = w.words.said(to)
		return true
	}
	to, ok := w.ends[r.prep]
	if ok {
		p.relation = w.words.said(strings.TrimSuffix(r.key, r.prep) + to)
	}
	return ok
}

// atTemplate says a place by what is there.
var atTemplate = template{at: true, example: "a red bus with two men riding on it"}

// placed holds where a place can be said to have there what is there: no "a phone with a man on it".
func placed(p *phrase) bool {
	r, o := p.relation, p.object.noun
	if r.verb != "" && !r.gerund || o.vague || o.intangible || p.object.does() || contains(times, o.head) || contains(unplaced, o.head) {
		return false
	}
	switch o.kind {
	case people, animals, body, clothing, weather, media:
		return false
	}
	at := false
	for _, row := range paraphrases["at"] {
		at = at || row.words == r.prep
	}
	return at && (!p.subject.noun.alive() || o.size() > small)
}

// thatTemplate says the attribute of what stands last after it.
var thatTemplate = template{that: true, example: "two men riding a bus that is red"}

// follow says the attribute of what stands last after it, or before it where it stood after it.
func follow(p *phrase) bool {
	n, to := &p.subject, &thatTemplate
	if p.relation != nil {
		if n = &p.object; contains(times, n.noun.head) { // no "a dog on a day that is rainy"
			return false
		}
	} else if p.template.that {
		to = &objectTemplates[0]
	}
	p.template = to
	return n.n == 1 && !n.attributes[0].post && n.attributes[0].is.predicative
}

// rename says a noun and attributes by others for the same.
func (w *otherWords) rename(n *nounPhrase) bool {
	to, renamed := w.nouns[n.noun.key]
	if renamed {
		n.noun = w.words.noun(to)
	}
	for i := range n.n {
		if to, ok := w.attributes[n.attributes[i].is.text]; ok {
			n.attributes[i].is, renamed = w.words.property(to), true
		}
	}
	return renamed
}

// turnColours says two colours in the other order.
func turnColours(n *nounPhrase) bool {
	first, colours := 0, 0
	for i := range n.n {
		if a := &n.attributes[i]; a.is.colour {
			if colours == 0 {
				first = i
			}
			colours++
		}
	}
	if colours != 2 || contains(pictures, n.noun.head) { // no "white and black photo"
		return false
	}
	a, b := &n.attributes[first], &n.attributes[first+1]
	*a, *b = *b, *a
	return a.is.colour && b.is.colour && !a.post && !b.post
}

// does holds where an attribute after the noun says what it does.
func (n *nounPhrase) does() bool {
	for _, a := range n.attributes[:n.n] {
		if a.post && a.is.verb != 0 {
			return true
		}
	}
	return false
}

// said is a relation that is said as it is.
func (w *words) said(key string) *relation {
	id := idOf(key)
	r, ok := w.relation[id]
	if !ok {
		r = &relation{predicate: newPredicate(w.lexicon, w.inflect, key, "")}
		w.kept += wordSize
		w.relation[id] = r
	}
	return r
}
