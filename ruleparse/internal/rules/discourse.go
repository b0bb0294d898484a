package rules

import (
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// discourse has the objects that a text of several sentences has mentioned so far. If a later sentence names one again,
// they become one object of the graph. Remarks on the picture become none.
type discourse struct {
	rules           *Set
	firstSentence   int32    // number of tokens of the first sentence
	entities        []entity // in the order of the text
	entityOf        []int32  // by node: its entity, or -1
	latest          map[string]int
	sentence        int
	sentenceBegin   int32 // first token of the current sentence
	subject         int   // first entity of the current sentence, or -1
	previousSubject int   // first entity of the previous sentence, or -1
	owners          map[int]reference
}

// entity is a person or a thing, described as at its first mention.
type entity struct {
	node int
	nounTraits
	begin, noun, end int32 // tokens: begin of its phrase, after its noun, after its description
	sentence         int   // sentence of its latest mention
	latest           int32 // last token of its latest mention
	owner            int   // entity that the possessive before it names, or -1
	sameWord         int   // previous entity with the same noun, or -1
	isSubject        bool
	isJoined         bool // it is one of a compound subject: "a fork and a knife"
}

// reference is the entity to which a mention refers, or -1, and the probability that this is right.
type reference struct {
	entity int
	sure   float32
}

// Probabilities that a reference is right, by how it was found. In coreference.txt and two thirds of
// written/long.jsonl, right were 186 of 188 references by the same noun, 51 of 51 by another noun, 104 of 114 pronouns
// for subjects and 8 of 8 other pronouns.
const (
	sureWord    = 0.98 // "a dog … the dog"
	sureKind    = 0.95 // "a poodle … the dog", "a skater … the man"
	sureSubject = 0.91 // a pronoun for the subject of the previous sentence
	sureOnly    = 0.85 // a pronoun, with the only entity that it fits
	sureDoer    = 0.8  // "a man … the guitarist"
	sureGroup   = 0.7  // "a skater … people … the man"
)

const (
	maxEntitiesBack = 64 // how many of the last entities another noun or a pronoun may name again
	maxSameWord     = 8  // how many of the last entities with the same noun are compared
)

var nothing = reference{-1, 1}

func (s *Set) newDiscourse(ts []tokens.Token, nodes int) discourse {
	d := discourse{rules: s, firstSentence: analysis.FirstSentenceLen(ts), subject: -1, previousSubject: -1}
	if d.hasSeveralSentences(ts) {
		d.latest, d.owners, d.entityOf = map[string]int{}, map[int]reference{}, make([]int32, nodes)
		for i := range d.entityOf {
			d.entityOf[i] = -1
		}
	}
	return d
}

// hasSeveralSentences reports whether there is more than one sentence.
func (s *discourse) hasSeveralSentences(ts []tokens.Token) bool {
	return int(s.firstSentence) < len(ts)
}

// advanceTo makes the sentence of node b the current one.
func (s *discourse) advanceTo(ts []tokens.Token, x *Reading, b int) {
	for i := s.sentenceBegin; i < x.Nodes[b].From; i++ {
		if ts[i].Tag == penn.Period {
			s.previousSubject, s.subject, s.sentenceBegin = s.subject, -1, i+1
			s.sentence++
		}
	}
}

// resolveMention returns the earlier node that object b names again, or -1, and the probability that this is right. It
// records the entity of b.
//
// In a sentence after the first, a noun with "the" or the like can name an object again: "A cat sits on a bed. *The
// cat* is black." So can a pronoun: "*He* wears a hat". The entity must fit in number, sex, age and kind, and no other
// may fit as well. Otherwise b is a new object.
func (s *discourse) resolveMention(ts []tokens.Token, x *Reading, b int) (node int, sure float32) {
	if !s.hasSeveralSentences(ts) {
		return -1, 1
	}
	n := &x.Nodes[b]
	begin := x.PhraseStart(b)
	owner := -1
	if begin > 0 && ts[begin-1].Tag == penn.PRPS && begin > s.firstSentence {
		r := s.resolvePronoun(&ts[begin-1])
		if s.owners[b], owner = r, r.entity; owner >= 0 {
			s.entities[owner].sentence = s.sentence
		}
	}
	r := nothing
	pronoun := analysis.IsPronoun(&ts[n.From])
	switch {
	case pronoun && (n.From < s.firstSentence || isPartitivePronoun(ts, n.From)):
	case pronoun:
		before, subject := s.excludedReferents(ts, x, b)
		r = s.resolvePronoun(&ts[n.From], before, subject)
	default:
		r = s.resolveNoun(ts, x, b, owner)
	}
	if r.entity < 0 && !pronoun {
		r.entity = s.addEntity(ts, x, b, owner)
	}
	if r.entity >= 0 && s.subject < 0 && !s.isFrontedPlace(ts, begin) {
		s.subject = r.entity
		if owner >= 0 {
			s.subject = owner // the owner of the tail: "Its tail is long."
		}
		s.entities[s.subject].isSubject = true
		s.entities[s.subject].isJoined = tokens.AtOrBorder(ts, n.To).Low == "and"
	}
	if s.entityOf[b] = int32(r.entity); r.entity < 0 || s.entities[r.entity].node == b {
		return -1, 1
	}
	s.entities[r.entity].sentence, s.entities[r.entity].latest = s.sentence, n.To-1
	return s.entities[r.entity].node, r.sure
}

// isPartitivePronoun reports whether pronoun i follows a word such as "two" and "of". "Two of
// them" are not the objects that "them" refers to.
func isPartitivePronoun(ts []tokens.Token, i int32) bool {
	return i > 1 && ts[i-1].Low == "of" && (ts[i-2].Tag == penn.CD || ts[i-2].IsOneOf(" few half many most none one others several some "))
}

// isFrontedPlace reports whether the phrase that begins at token i belongs to a place at the begin of its sentence,
// before the clause: "Behind *the pole*, there is a shop."
func (s *discourse) isFrontedPlace(ts []tokens.Token, i int32) bool {
	if tag := ts[s.sentenceBegin].Tag; tag != penn.IN && tag != penn.TO {
		return false
	}
	for k := s.sentenceBegin; k < i; k++ {
		if ts[k].Tag == penn.Comma || ts[k].Tag == penn.EX || isFinite(&ts[k]) {
			return false
		}
	}
	return true
}

// ownerOf returns the node to which the possessive pronoun before object b, in a sentence after the first, refers, or
// -1. known is false if there is no such pronoun.
func (s *discourse) ownerOf(b int) (node int, known bool) {
	r, known := s.owners[b]
	if r.entity < 0 || !known {
		return -1, known
	}
	return s.entities[r.entity].node, true
}

// addEntity records that node b is a new entity.
func (s *discourse) addEntity(ts []tokens.Token, x *Reading, b, owner int) int {
	n := &x.Nodes[b]
	e := entity{node: b, nounTraits: s.rules.traitsOf(ts, n), sentence: s.sentence, owner: owner, sameWord: -1}
	e.begin, e.end = findDescription(ts, n)
	e.noun, e.latest = n.To, n.To-1
	if a, ok := s.latest[e.word]; ok {
		e.sameWord = a
	}
	s.latest[e.word] = len(s.entities)
	s.entities = append(s.entities, e)
	return len(s.entities) - 1
}

// resolveNoun returns the entity that object b, in a sentence after the first, names again.
func (s *discourse) resolveNoun(ts []tokens.Token, x *Reading, b, owner int) reference {
	n := &x.Nodes[b]
	m := mention{nounTraits: s.rules.traitsOf(ts, n), noun: n.To, first: n.From == n.To-1}
	m.begin, m.end = findDescription(ts, n)
	switch d := tokens.AtOrBorder(ts, m.begin-1); {
	case owner >= 0:
		return s.resolvePossession(&m, owner)
	case !d.IsOneOf(" that the these this those ") && !(m.plural && d.Low == "both"):
		return nothing
	}
	m.read(ts)
	if m.rank > 0 && s.sentence > 0 {
		return s.resolveRank(ts, &m)
	}
	if r, decided := s.resolveWord(ts, x, &m, b); decided || s.sentence == 0 {
		return r
	}
	if m.kind != noPerson {
		return s.resolvePerson(ts, &m)
	}
	return s.resolveThing(&m)
}

// resolvePossession returns the entity with the noun of m and the same owner: "her bag … her bag".
func (s *discourse) resolvePossession(m *mention, owner int) reference {
	for a, k := s.latestEntity(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		if e := &s.entities[a]; e.owner == owner && e.plural == m.plural {
			return reference{a, sureWord}
		}
	}
	return nothing
}

func (s *discourse) latestEntity(word string) int {
	if a, ok := s.latest[word]; ok {
		return a
	}
	return -1
}

// resolveRank returns the entity that a mention selects by its rank: after two men were named, "the second man" is the
// second; after "a second man" it is that one.
func (s *discourse) resolveRank(ts []tokens.Token, m *mention) reference {
	var same []int
	for a, k := s.latestEntity(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		e := &s.entities[a]
		if e.plural {
			continue
		}
		for i := e.begin; i < e.noun; i++ {
			if ranks[ts[i].Low] == m.rank {
				return reference{a, sureWord} // introduced with the same rank: "a second man … the second man"
			}
		}
		same = append(same, a)
	}
	if m.plural || len(same) < m.rank || len(same) == maxSameWord {
		return nothing
	}
	return reference{same[len(same)-m.rank], sureKind}
}

// resolveWord returns the entity with the noun of m that m's description fits best, or nothing if two fit equally well.
// decided is false if no entity has the noun.
func (s *discourse) resolveWord(ts []tokens.Token, x *Reading, m *mention, b int) (r reference, decided bool) {
	best, second := -1, -1
	found := nothing
	for a, k := s.latestEntity(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		e := &s.entities[a]
		if e.plural != m.plural {
			continue
		}
		if !m.first && x.Nodes[b].Name != x.Nodes[e.node].Name && e.end-e.begin > 1 {
			continue // different compounds: "a dining table … the coffee table"
		}
		decided = true
		shared, fits := m.compare(ts, e)
		if !fits {
			continue
		}
		if shared *= 2; e.sentence == s.sentence {
			shared++ // prefers an entity of the current sentence
		}
		if shared > best {
			best, second, found = shared, best, reference{a, sureWord}
		} else if shared > second {
			second = shared
		}
	}
	switch {
	case found.entity < 0 || best == second:
		return nothing, decided
	case m.placed && best < 2 && (second >= 0 || s.hasGroup(m)):
		return nothing, decided // one of a group: "three men and a woman … the man on the left"
	}
	return found, decided
}

// hasGroup reports whether the text has named a group of persons or things that may include the mention.
func (s *discourse) hasGroup(m *mention) bool {
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		e := &s.entities[a]
		if e.plural && (e.word == m.word || m.kind != noPerson && e.kind != noPerson && e.canBeSamePerson(&m.personNoun)) {
			return true
		}
	}
	return false
}

// resolvePerson returns the only person that m may name by another noun: "a skater … the man". If m may be one of
// several persons, it returns nothing.
func (s *discourse) resolvePerson(ts []tokens.Token, m *mention) reference {
	found, doing, sure := -1, -1, float32(sureKind)
	several := false
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		e := &s.entities[a]
		if e.kind == noPerson || !m.canBeSamePerson(&e.personNoun) {
			continue
		}
		switch {
		case e.plural != m.plural:
			if !m.plural && e.isSubject {
				return nothing // one of several: "two men stand near a car. The person …"
			} else if !m.plural {
				sure = min(sure, sureGroup)
			}
		case m.kind == doer && e.kind == general && s.hasNamedAction(ts, &m.nounTraits, e):
			if doing >= 0 {
				return nothing
			}
			doing = a // named by the action: "a man plays a piano … the pianist"
		case !m.mayRename(&e.personNoun):
			// "a chef … the waiter"
		case found >= 0:
			several = true
		default:
			if found = a; m.kind == doer && e.kind == general {
				sure = min(sure, sureDoer)
			}
		}
	}
	if doing >= 0 {
		found, sure = doing, sureKind
	} else if several {
		return nothing
	}
	if found < 0 || m.placed || m.rank < 0 {
		return nothing
	}
	return reference{found, sure}
}

// hasNamedAction reports whether a noun of a person has the stem of a word that follows entity e in its sentence: "a
// man plays a *piano* … the pianist".
func (s *discourse) hasNamedAction(ts []tokens.Token, noun *nounTraits, e *entity) bool {
	stem := noun.word[:min(len(noun.word), max(3, min(4, len(noun.word)-3)))]
	for i := e.noun; int(i) < len(ts) && ts[i].Tag != penn.Period && ts[i].Tag != penn.CC; i++ {
		if strings.HasPrefix(ts[i].Low, stem) {
			return true
		}
	}
	return false
}

// resolveThing returns the only thing that m may name by a more general noun: "a poodle … the dog".
func (s *discourse) resolveThing(m *mention) reference {
	found := -1
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		e := &s.entities[a]
		if e.kind != noPerson || e.plural != m.plural || !s.rules.mayRenameThing(m.word, &e.nounTraits) {
			continue
		}
		if found >= 0 && (s.entities[found].sentence < s.sentence || e.sentence == s.sentence) {
			return nothing
		} else if found < 0 {
			found = a
		}
	}
	if found < 0 || m.placed || m.rank < 0 {
		return nothing
	}
	return reference{found, sureKind}
}
