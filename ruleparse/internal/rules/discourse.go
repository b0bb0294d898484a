package rules

import (
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// discourse has the objects that a text of several sentences has mentioned so far. A thing that is named again
// is one object. A remark on the picture makes none.
type discourse struct {
	rules           *Set
	firstSentence   int32    // tokens of the first sentence
	entities        []entity // in the order of the text
	entityOf        []int32  // by node: its entity, or -1
	latest          map[string]int
	sentence        int
	sentenceBegin   int32 // the first token of this sentence
	subject         int   // the first entity of this sentence, or -1
	previousSubject int   // that of the sentence before, or -1
	owners          map[int]reference
}

// entity is a person or a thing with what its first mention says of it.
type entity struct {
	node int
	nounTraits
	begin, noun, end int32 // tokens: before its phrase, after its noun, after what describes it
	sentence         int   // of its latest mention
	latest           int32 // the last token of that
	owner            int   // the entity that a possessive names before it, or -1
	sameWord         int   // the entity before with the same word, or -1
	isSubject        bool
	isJoined         bool // the subject goes on after it: "a fork and a knife"
}

// reference is the entity that a mention refers to, or -1, and how sure that is.
type reference struct {
	entity int
	sure   float32
}

// How sure references are, by what they are found from. Of those in coreference.txt and two thirds of
// written/long.jsonl 186 of 188 by the same word are right, 51 of 51 by another noun, 104 of 114 pronouns
// for subjects, 8 of 8 other pronouns.
const (
	sureWord    = 0.98 // "a dog … the dog"
	sureKind    = 0.95 // "a poodle … the dog", "a skater … the man"
	sureSubject = 0.91 // a pronoun, and the subject of the sentence before
	sureOnly    = 0.85 // a pronoun, and the only one that it fits
	sureDoer    = 0.8  // "a man … the guitarist"
	sureGroup   = 0.7  // "a skater … people … the man"
)

const (
	maxEntitiesBack = 64 // entities that another noun or a pronoun may name again
	maxSameWord     = 8  // entities of one noun that are compared
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

// advanceTo moves on to the sentence of node b.
func (s *discourse) advanceTo(ts []tokens.Token, x *Reading, b int) {
	for i := s.sentenceBegin; i < x.Nodes[b].From; i++ {
		if ts[i].Tag == penn.Period {
			s.previousSubject, s.subject, s.sentenceBegin = s.subject, -1, i+1
			s.sentence++
		}
	}
}

// resolveMention returns the node before object b that b names again, or -1, and how sure that is. It
// records what b is.
//
// A later sentence names again with "the" or its like: "A cat sits on a bed. *The cat* is black." A
// pronoun may begin a clause of it: "*He* wears a hat". Who or what that is follows from number, sex,
// age and kind, and from what else the text has named: what is not sure is another object.
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
	case pronoun && (n.From < s.firstSentence || isSomeOf(ts, n.From)):
	case pronoun:
		before, subject := s.ownObjects(ts, x, b)
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
			s.subject = owner // "Its tail is long."
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

// isSomeOf reports whether pronoun i is what others are some of, which are no thing that was named: "two of them".
func isSomeOf(ts []tokens.Token, i int32) bool {
	return i > 1 && ts[i-1].Low == "of" && (ts[i-2].Tag == penn.CD || ts[i-2].IsOneOf(" few half many most none one others several some "))
}

// isFrontedPlace reports whether the phrase that begins at token i is in the place before the clause of
// its sentence: "Behind *the pole*, there is a shop."
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

// ownerOf returns the node that a possessive pronoun of a later sentence before object b refers to, or
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

// resolveNoun returns what object b of a later sentence names again.
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

// resolvePossession returns the entity of the same noun and owner: "her bag … her bag".
func (s *discourse) resolvePossession(m *mention, owner int) reference {
	for a, k := s.latestOf(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		if e := &s.entities[a]; e.owner == owner && e.plural == m.plural {
			return reference{a, sureWord}
		}
	}
	return nothing
}

func (s *discourse) latestOf(word string) int {
	if a, ok := s.latest[word]; ok {
		return a
	}
	return -1
}

// resolveRank returns the second entity of a noun for "the second man", if two were named. After "two
// dogs", "the first dog" is one of them.
func (s *discourse) resolveRank(ts []tokens.Token, m *mention) reference {
	var same []int
	for a, k := s.latestOf(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		e := &s.entities[a]
		if e.plural {
			continue
		}
		for i := e.begin; i < e.noun; i++ {
			if ranks[ts[i].Low] == m.rank {
				return reference{a, sureWord} // "a second man … the second man"
			}
		}
		same = append(same, a)
	}
	if m.plural || len(same) < m.rank || len(same) == maxSameWord {
		return nothing
	}
	return reference{same[len(same)-m.rank], sureKind}
}

// resolveWord returns the entity of the same noun that a mention describes best. decided is false if
// none has the noun. Of two that it describes alike it is neither.
func (s *discourse) resolveWord(ts []tokens.Token, x *Reading, m *mention, b int) (r reference, decided bool) {
	best, second := -1, -1
	found := nothing
	for a, k := s.latestOf(m.word), 0; a >= 0 && k < maxSameWord; a, k = s.entities[a].sameWord, k+1 {
		e := &s.entities[a]
		if e.plural != m.plural {
			continue
		}
		if !m.first && x.Nodes[b].Name != x.Nodes[e.node].Name && e.end-e.begin > 1 {
			continue // "the coffee table", "a dining table"
		}
		decided = true
		shared, fits := m.compare(ts, e)
		if !fits {
			continue
		}
		if shared *= 2; e.sentence == s.sentence {
			shared++ // of two alike, the one that this sentence mentions
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
		return nothing, decided // "three men and a woman … the man on the left"
	}
	return found, decided
}

// hasGroup reports whether the text named several persons or things that the mention may be one of.
func (s *discourse) hasGroup(m *mention) bool {
	for a := len(s.entities) - 1; a >= max(0, len(s.entities)-maxEntitiesBack); a-- {
		e := &s.entities[a]
		if e.plural && (e.word == m.word || m.kind != noPerson && e.kind != noPerson && e.canBeSamePerson(&m.personNoun)) {
			return true
		}
	}
	return false
}

// resolvePerson returns the only person that the mention may name by another noun: "a skater … the
// man". If it may be one of several persons, it is nobody named before.
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
				return nothing // "two men stand near a car. The person …"
			} else if !m.plural {
				sure = min(sure, sureGroup)
			}
		case m.kind == doer && e.kind == general && s.hasNamedAction(ts, &m.nounTraits, e):
			if doing >= 0 {
				return nothing
			}
			doing = a // "a man plays a piano … the pianist"
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

// hasNamedAction reports whether a word right after e, in its sentence, has the stem of a noun: "a man plays a
// *piano* … the pianist".
func (s *discourse) hasNamedAction(ts []tokens.Token, noun *nounTraits, e *entity) bool {
	stem := noun.word[:min(len(noun.word), max(3, min(4, len(noun.word)-3)))]
	for i := e.noun; int(i) < len(ts) && ts[i].Tag != penn.Period && ts[i].Tag != penn.CC; i++ {
		if strings.HasPrefix(ts[i].Low, stem) {
			return true
		}
	}
	return false
}

// resolveThing returns the only thing that the mention may name by a more general noun: "a poodle …
// the dog".
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
