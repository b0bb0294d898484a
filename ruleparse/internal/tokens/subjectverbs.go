package tokens

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
)

// SubjectVerbs decides whether a word that the tagger takes for a noun is a verb, where a subject may end: "juggles" in
// "a woman in purple juggles near a fountain", "hangs" in "a painting of a ship on a stormy sea hangs above a sofa",
// "dance" in "two girls in white dance". It is a binary linear model.
type SubjectVerbs struct{ weights linear.Weights }

// ReadSubjectVerbs reads the weights that the trainer writes.
func ReadSubjectVerbs(s string) (*SubjectVerbs, error) {
	w, err := linear.ReadWeights(s, 1)
	return &SubjectVerbs{w}, err
}

// IsVerb reports whether word i is a verb. [VerbTag] must be ok for it.
func (v *SubjectVerbs) IsVerb(ts []Token, i int) bool {
	if isColouredAct(ts, i) {
		return true
	}
	var buf [subjectFeatures]uint32
	return v.weights.Sum(AppendSubjectContext(ts, i, buf[:0])) > 0
}

// What precedes a word that may be the verb of a subject.
const (
	afterNothing = iota // no subject can end there
	afterNoun
	afterColour // "a woman in purple", "a bus painted yellow"
	afterMark   // `a sign that reads "OPEN"`, "a boy (left)"
)

// VerbTag returns the tag that word i has if it is a verb. ok is false if it is not tagged as a noun, cannot be a verb,
// or does not follow what may be the end of a subject. set are its possible tags. The words before it must be tagged.
func VerbTag(ts []Token, i int, set uint64) (tag penn.Tag, ok bool) {
	t := &ts[i]
	switch {
	case t.Capital:
		return 0, false
	case t.Tag == penn.NNS && t.Flags&VerbS != 0:
		return penn.VBZ, set>>penn.VBZ&1 != 0 && endOfSubject(ts, i) != afterNothing
	case t.Tag == penn.NN && t.Flags&VerbBase != 0 && endOfSubject(ts, i) == afterColour:
		bits, _ := describeClause(ts, i)
		return penn.VBP, set>>penn.VBP&1 != 0 && (bits&subjectPlural != 0 || namesPersons(ts, i))
	}
	return 0, false
}

// isColouredAct reports whether word i follows a colour but names an act, and several persons or animals are the
// subject: "dance" in "two girls in white dance". An act has no colour, so the word is a verb.
func isColouredAct(ts []Token, i int) bool {
	t := &ts[i]
	act := t.Class == ClassAct || t.Class == ClassEvent || t.Class == ClassCommunication || t.Flags&AnyNoun == 0
	if !act || AtOrBorder(ts, int32(i)+1).Flags&AnyNoun != 0 || endOfSubject(ts, i) != afterColour || ts[i-2].Low == "and" && ts[i-1].Low == "white" {
		return false // not a verb: "in black and white print"
	}
	bits, _ := describeClause(ts, i)
	return bits == subjectAlive|subjectPlural || bits == subjectAlive && namesPersons(ts, i)
}

// namesPersons reports whether the subject before word i is a singular noun for several persons: "a couple in white".
func namesPersons(ts []Token, i int) bool {
	_, start := describeClause(ts, i)
	head := subjectHead(ts, start, i)
	return head >= 0 && ts[head].IsOneOf(personGroups)
}

// endOfSubject returns what precedes word i, such as afterColour.
func endOfSubject(ts []Token, i int) uint32 {
	if i < 2 {
		return afterNothing
	}
	switch l := &ts[i-1]; {
	case l.IsOneOf(colours) && isWornColour(ts, i-1):
		return afterColour
	case penn.IsNoun(l.Tag):
		return afterNoun
	case l.Tag == penn.Open || l.Tag == penn.Close || l.Tag == penn.RRB:
		return afterMark
	}
	return afterNothing
}

var (
	colours = wordclass.Words("colours")
	wearing = wordclass.Words("wearing")
	dyed    = wordclass.Words("dyed")
	shades  = wordclass.Words("shades")

	personGroups = wordclass.Words("personGroups")
)

// isWornColour reports whether somebody wears the colour at token i, or a thing is painted in it: "in bright red",
// "painted yellow and blue", but not "a blue chair".
func isWornColour(ts []Token, i int) bool {
	for i > 0 && (ts[i].IsOneOf(colours) || ts[i].IsOneOf(shades) || ts[i].Tag == penn.CC && ts[i-1].IsOneOf(colours)) {
		i--
	}
	return ts[i].IsOneOf(wearing) || ts[i].IsOneOf(dyed)
}

const subjectFeatures = 22

// Bits that describe the clause before a word.
const (
	clauseFinite   = 1 << iota // it has a finite verb
	clauseRelative             // the finite verb is in a relative clause
	subjectAlive
	subjectPlural
	subjectColour // "in", "wearing" or the like precedes the colour
)

// AppendSubjectContext appends the features of word i for [SubjectVerbs].
func AppendSubjectContext(ts []Token, i int, f []uint32) []uint32 {
	t, last := &ts[i], &ts[i-1]
	end := endOfSubject(ts, i)
	next, second := AtOrBorder(ts, int32(i)+1), AtOrBorder(ts, int32(i)+2)
	clause, start := describeClause(ts, i)
	governor := governorOf(ts, i)
	first := uint32(0)
	if start < len(ts) {
		first = ts[start].Hash
	}
	if end == afterColour && governor.IsOneOf(" in wearing painted dressed ") {
		clause |= subjectColour
	}
	at := func(kind uint32, x uint32) uint32 { return linear.Join(kind<<2|end, x) }
	return append(f,
		at(1, clause), at(2, t.Hash), at(3, next.Hash), at(4, uint32(next.Flags)), at(5, linear.Join(t.Hash, next.Hash)), linear.Join(6, last.Hash),
		linear.Join(7, linear.Join(last.Hash, t.Hash)), at(8, linear.Join(clause, next.Hash)), at(9, uint32(t.Class)<<8|uint32(last.Class)),
		at(10, linear.Join(uint32(next.Flags), uint32(second.Flags))), at(11, linear.Join(first, clause)), at(12, linear.Join(t.Hash, clause)),
		at(13, linear.Join(uint32(next.Flags), clause)), at(14, second.Hash), at(15, governor.Hash), at(16, linear.Join(governor.Hash, t.Hash)),
		at(17, linear.Join(uint32(t.Class), next.Hash)), at(18, uint32(t.Class)), at(19, linear.Join(uint32(t.Flags), next.Hash)), at(20, linear.Join(governor.Hash, clause)),
		at(21, linear.Join(governor.Hash, next.Hash)), at(22, linear.Join(next.Hash, second.Hash)),
	)
}

// maxClauseWords is the most words before a verb that are searched for the begin of its clause.
const maxClauseWords = 24

// describeClause returns the bits that describe the clause of word i, and the first token of the clause.
func describeClause(ts []Token, i int) (bits uint32, start int) {
	start = i
	for start > 0 && start > i-maxClauseWords && ts[start-1].Tag != penn.Period && ts[start-1].Tag != penn.Colon {
		start--
	}
	for k := start; k < i; k++ {
		switch tag := ts[k].Tag; {
		case tag == penn.WDT || tag == penn.WP || ts[k].Low == "that":
			bits |= clauseRelative
		case tag == penn.VBZ || tag == penn.VBP || tag == penn.VBD || tag == penn.MD || ts[k].IsBe && tag != penn.VBG:
			if bits&clauseRelative == 0 {
				bits |= clauseFinite
			}
		}
	}
	if head := subjectHead(ts, start, i); head >= 0 {
		if ts[head].IsAlive() {
			bits |= subjectAlive
		}
		if ts[head].Tag == penn.NNS || joinsSubjects(ts, head, i) {
			bits |= subjectPlural
		}
	}
	return bits, start
}

// subjectHead returns the last noun of the first noun phrase between token start and word i, or -1.
func subjectHead(ts []Token, start, i int) int {
	for k := start; k < i; k++ {
		if penn.IsNoun(ts[k].Tag) && !penn.IsNoun(ts[k+1].Tag) {
			return k
		}
	}
	return -1
}

// joinsSubjects reports whether "and" and a noun phrase with an article or a number stand between the singular noun at
// head and word i: "a man in black and a woman in white".
func joinsSubjects(ts []Token, head, i int) bool {
	for k := head + 1; k < i-2; k++ {
		if ts[k].Low == "and" && (ts[k+1].Tag == penn.DT || ts[k+1].Tag == penn.CD) {
			return true
		}
	}
	return false
}

// governorOf returns the preposition or verb before the noun phrase that ends before word i.
func governorOf(ts []Token, i int) *Token {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		switch tag := ts[k].Tag; {
		case tag == penn.IN || tag == penn.TO || penn.IsVerb(tag):
			return &ts[k]
		case tag == penn.Period || tag == penn.WDT:
			return &Border
		}
	}
	return &Border
}
