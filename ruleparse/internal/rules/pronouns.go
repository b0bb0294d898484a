package rules

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// resolvePronoun returns the entity to which a pronoun in a sentence after the first refers: the subject of this
// sentence or of the previous one, or the only entity of these two sentences that fits.
//
// Entities whose last mention is in one of the spans own are excluded.
func (s *discourse) resolvePronoun(t *tokens.Token, own ...span) reference {
	isOwn := func(a int) bool {
		return slices.ContainsFunc(own, func(o span) bool { return o.has(s.entities[a].latest) })
	}
	for _, a := range [...]int{s.subject, s.previousSubject} {
		if a >= 0 && !(s.entities[a].isJoined && t.IsOneOf(" it its ")) && s.fits(t, a) && !isOwn(a) && !s.fitsBetterElsewhere(t, a) {
			s.learnSex(t, a)
			return reference{a, sureSubject}
		}
	}
	found := -1
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		isNear := s.isNear(a) || s.entities[a].sex != 0 && s.isStillNear(a) && t.IsOneOf(" he she ")
		if !isNear || !s.fits(t, a) || isOwn(a) || s.entities[a].class == tokens.ClassBody || s.fitsBetterElsewhere(t, a) {
			continue
		}
		if found >= 0 {
			return nothing
		}
		found = a
	}
	if found < 0 {
		return nothing
	}
	s.learnSex(t, found)
	return reference{found, sureOnly}
}

// span is a range of tokens [from, to).
type span struct{ from, to int32 }

func (s span) has(i int32) bool { return s.from <= i && i < s.to }

// excludedReferents returns the tokens of two objects to which pronoun b cannot refer: the object right before its
// preposition ("a *mirror* next to it"), and the subject of its verb ("a *lamp* stands behind it"). The subject of
// "has" or the like is allowed: "a woman has a bag next to *her*".
func (s *discourse) excludedReferents(ts []tokens.Token, x *Reading, b int) (before, subject span) {
	i := x.Nodes[b].From - 1
	if !analysis.CanHaveObject(tokens.AtOrBorder(ts, i)) {
		return before, subject
	}
	has := false
	for ; i >= s.sentenceBegin && !isFinite(&ts[i]); i-- {
		switch {
		case ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC:
			return before, subject
		case x.InNode[i] && before.to == 0:
			before = span{i, i + 1}
		case before.to > 0:
			has = has || ts[i].IsOneOf(havingWords)
		}
	}
	if i < s.sentenceBegin || before.to > 0 && (has || ts[i].IsOneOf(havingWords)) {
		return before, subject
	}
	subject.to = i
	for i--; i >= s.sentenceBegin && !(ts[i].Kind == tokens.Mark || ts[i].IsOneOf(conjunctions) || ts[i].Tag == penn.CC && s.hasVerbBefore(ts, i)); i-- {
	}
	subject.from = i + 1
	return before, subject
}

// havingWords are words whose subject has their object.
const havingWords = " carries carry contain contains drag drags features had has have having hold holding holds pull pulls push pushes wear wearing wears with "

// hasVerbBefore reports whether a finite verb precedes token i in the current sentence.
func (s *discourse) hasVerbBefore(ts []tokens.Token, i int32) bool {
	for i--; i >= s.sentenceBegin; i-- {
		if isFinite(&ts[i]) {
			return true
		}
	}
	return false
}

// isNear reports whether entity a was mentioned in the current sentence or the previous one.
func (s *discourse) isNear(a int) bool { return s.entities[a].sentence+1 >= s.sentence }

// isStillNear reports whether entity a was mentioned in the current sentence or the two before.
func (s *discourse) isStillNear(a int) bool { return s.entities[a].sentence+2 >= s.sentence }

// fitsBetterElsewhere reports whether a pronoun that may refer to entity a fits another near entity better: "she" fits
// a person of known sex better than one of unknown sex, "they" persons or animals better than things. In "A doctor
// talks to a woman. She …" this makes the doctor uncertain.
func (s *discourse) fitsBetterElsewhere(t *tokens.Token, a int) bool {
	e := &s.entities[a]
	things := t.IsOneOf(" they their them ")
	if things && (e.isAlive() || a == s.subject) || !things && (e.sex != 0 || !t.IsOneOf(" he her him his she ")) {
		return false
	}
	persons := 0
	for k := len(s.entities) - 1; k >= max(0, len(s.entities)-maxEntitiesBack); k-- {
		o := &s.entities[k]
		switch {
		case things && s.isNear(k) && o.kind != noPerson && !o.plural:
			persons++
		case things && s.isNear(k) && o.isAlive() && s.fits(t, k), !things && s.isStillNear(k) && o.sex != 0 && s.fits(t, k):
			return true
		}
	}
	return persons > 1 // "they" are several persons: "A boy and a girl hold flags. They …"
}

// learnSex records that entity a has the sex of the pronoun.
func (s *discourse) learnSex(t *tokens.Token, a int) {
	if e := &s.entities[a]; e.kind != noPerson && e.sex == 0 {
		switch {
		case t.IsOneOf(" he him his "):
			e.sex = 'm'
		case t.IsOneOf(" her she "):
			e.sex = 'f'
		}
	}
}

// isAlive reports whether an entity is a person or an animal.
func (e *entity) isAlive() bool { return e.kind != noPerson || e.class == tokens.ClassAnimal }

// fits reports whether a pronoun can refer to entity a by number, sex and kind.
func (s *discourse) fits(t *tokens.Token, a int) bool {
	e := &s.entities[a]
	switch t.Low {
	case "he", "him", "his":
		return e.isAlive() && !e.plural && e.sex != 'f'
	case "she", "her":
		return e.isAlive() && !e.plural && e.sex != 'm'
	case "it", "its":
		return e.kind == noPerson && !e.plural
	case "they", "them", "their":
		return e.plural || t.Low == "their" && wordclass.Has(personGroups, e.word)
	}
	return false
}
