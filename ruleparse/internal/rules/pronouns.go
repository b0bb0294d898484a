package rules

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// resolvePronoun returns what a pronoun of a later sentence refers to. It is the subject of this
// sentence or of the one before, or the only one that it fits of these two.
//
// It is nothing that tokens [from, to) mention, the subject of its verb: "A lamp stands behind *it*."
func (s *discourse) resolvePronoun(t *tokens.Token, from, to int32) reference {
	isOwn := func(a int) bool { return from <= s.entities[a].latest && s.entities[a].latest < to }
	for _, a := range [...]int{s.subject, s.previousSubject} {
		if a >= 0 && s.fits(t, a) && !isOwn(a) && !s.hasSurer(t, a) {
			s.learnSex(t, a)
			return reference{a, sureSubject}
		}
	}
	found := -1
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		if !s.isNear(a) || !s.fits(t, a) || isOwn(a) || t.IsOneOf(" it its ") && s.entities[a].class == tokens.ClassBody {
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

// ownClause returns the tokens of the subject of the verb that pronoun b is the object of. There are
// none if an object is between the verb and the pronoun: "a woman has a bag beside *her*".
func (s *discourse) ownClause(ts []tokens.Token, x *Reading, b int) (from, to int32) {
	i := x.Nodes[b].From - 1
	if !analysis.CanGovern(tokens.AtOrBorder(ts, i)) {
		return 0, 0
	}
	for ; i >= s.sentenceBegin && !isFinite(&ts[i]); i-- {
		if x.InNode[i] || ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC {
			return 0, 0
		}
	}
	to = i
	named := false
	for i--; i >= s.sentenceBegin && (!named || ts[i].Kind != tokens.Mark && ts[i].Tag != penn.CC && !ts[i].IsOneOf(conjunctions)); i-- {
		named = named || x.InNode[i]
	}
	return i + 1, to
}

// isNear reports whether this sentence or the one before mentions entity a.
func (s *discourse) isNear(a int) bool { return s.entities[a].sentence+1 >= s.sentence }

// hasSurer reports whether a person of known sex is as near as entity a, whose sex nothing says, or
// somebody alive as near as things: in "A doctor talks to a woman. She …" she may be either.
func (s *discourse) hasSurer(t *tokens.Token, a int) bool {
	e := &s.entities[a]
	things := t.IsOneOf(" they their them ")
	if things && (e.isAlive() || a == s.subject) || !things && (e.sex != 0 || !t.IsOneOf(" he her him his she ")) {
		return false
	}
	for k := len(s.entities) - 1; k >= max(0, len(s.entities)-maxEntitiesBack); k-- {
		o := &s.entities[k]
		surer := o.sex != 0
		if things {
			surer = o.isAlive()
		}
		if surer && s.isNear(k) && s.fits(t, k) {
			return true
		}
	}
	return false
}

// learnSex records the sex that a pronoun says.
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

// fits reports whether a pronoun may refer to entity a by number, sex and kind.
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
		return e.plural || t.Low == "their" && wordclass.Has(groupsOfPersons, e.word)
	}
	return false
}
