package analysis

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// Candidate is a predicate that may relate two objects of the text: the tokens Words[:N], or an
// implied predicate. If it is reversed, the second object is the subject.
type Candidate struct {
	Words        [MaxPredicate]int32
	N            uint8
	Implied      uint8 // 1 + index into ImpliedPredicates, or 0
	Position     uint8
	Reversed     bool
	FillsGap     bool // its words are all the words between the objects
	carriedWords int8 // number of its words that precede another object
	Hash         uint32
}

// IsForward reports whether c is stated by words between the two objects and has the first as its
// subject.
func (c *Candidate) IsForward() bool { return c.Implied == 0 && !c.Reversed && c.Position == Between }

// Positions of the words of a candidate.
const (
	Between = iota
	After
	before
	Nowhere
)

const (
	MaxPredicate = 5  // words of a predicate
	MaxBetween   = 9  // words between the objects that are considered: those nearest to the second object
	maxAround    = 4  // words before the first and after the second object that are considered
	maxImplied   = 3  // tokens between two objects whose relation is implied
	MaxPair      = 40 // tokens between two objects that may be related
	MaxNeighbour = 9  // nodes between two objects that may be related
)

// ImpliedPredicates are predicates of relations that no word states: "the dog's tail", "a kitchen
// table".
var ImpliedPredicates = [...]string{"have", "in", "on", "with"}

// impliedBothWays is how many ImpliedPredicates, the first ones, may have the second object as
// their subject too.
const impliedBothWays = 2

// IsSilent reports whether a token is never part of a predicate: a determiner, auxiliary or
// punctuation.
func IsSilent(t *tokens.Token) bool {
	switch t.Tag {
	case penn.DT, penn.PRPS, penn.EX, penn.MD, penn.WDT, penn.WP, penn.WPS, penn.POS, penn.CC, penn.PDT, penn.CD, penn.UH:
		return true
	case penn.RB, penn.RBR:
		switch t.Low {
		case "not", "n't", "very", "also", "just", "now", "still", "too", "so", "quite", "partially", "partly", "slightly", "completely":
			return true
		}
		return len(t.Low) > 4 && t.Low[len(t.Low)-2:] == "ly"
	}
	return t.Kind == tokens.Mark || t.Kind == tokens.Clitic || t.IsBe || t.IsMeasure
}

// canBeginPredicate reports whether a predicate can begin with t.
func canBeginPredicate(t *tokens.Token) bool {
	switch t.Tag {
	case penn.CD, penn.PRP, penn.NNP:
		return false
	}
	return true
}

// canEndPredicate reports whether a predicate can end with t.
func canEndPredicate(t *tokens.Token) bool {
	switch t.Tag {
	case penn.PRP, penn.CD, penn.JJ, penn.JJR, penn.JJS:
		return false
	case penn.RB, penn.RBR:
		return t.IsOneOf(Particles)
	}
	return true
}

// Particles are the adverbs that can end a predicate.
const Particles = " up down out away back over off around together in on by along across through forward behind above below underneath inside outside near apart onto ontop "

// PredicateWords appends those tokens in [from, to) that are in no node and not silent. If there
// are more than most, it appends the last ones.
func PredicateWords(ts []tokens.Token, inNode []bool, from, to, most int, out []int32) []int32 {
	for i := from; i < to; i++ {
		if !inNode[i] && !IsSilent(&ts[i]) {
			out = append(out, int32(i))
		}
	}
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return out
}

// AppendCandidates appends the candidates that may relate the objects nodes[first] and
// nodes[second], first before second. It considers no words beyond the neighbouring objects.
func AppendCandidates(ts []tokens.Token, inNode []bool, nodes []Node, first, second int, out []Candidate) []Candidate {
	a, b, left, right := &nodes[first], &nodes[second], leftBound(nodes, first), rightBound(nodes, second, len(ts))
	var buf [MaxPair + 2*maxAround + 8]int32
	words := PredicateWords(ts, inNode, int(a.To), int(b.From), MaxBetween, buf[:0])
	full := len(words)
	if full == MaxBetween {
		full = 99
	}
	out = appendRuns(ts, inNode, words, full, Between, false, out)
	out = appendCarried(ts, inNode, words, out)
	words = PredicateWords(ts, inNode, int(b.To), min(right, int(b.To)+maxAround+2), maxAround, buf[:0])
	out = appendRuns(ts, inNode, words, 99, After, true, out)
	words = PredicateWords(ts, inNode, max(left, int(a.From)-maxAround-2), int(a.From), maxAround, buf[:0])
	out = appendRuns(ts, inNode, words, 99, before, true, out)
	if b.From-a.To > maxImplied {
		return out
	}
	for i := range ImpliedPredicates {
		out = append(out, Candidate{Implied: uint8(i + 1), Position: Nowhere, Hash: uint32(i + 1)})
		if i < impliedBothWays {
			out = append(out, Candidate{Implied: uint8(i + 1), Position: Nowhere, Reversed: true, Hash: uint32(i + 1)})
		}
	}
	return out
}

// appendRuns appends a candidate for each run of contiguous words. Between two objects a run may
// also be reversed: "wall mounted tv".
func appendRuns(ts []tokens.Token, inNode []bool, words []int32, full int, where uint8, reversed bool, out []Candidate) []Candidate {
	for i := range words {
		if !canBeginPredicate(&ts[words[i]]) {
			continue
		}
		c := Candidate{Position: where, Reversed: reversed}
		for j := i; j < len(words) && j-i < MaxPredicate; j++ {
			t := &ts[words[j]]
			if j > i && AreSeparated(ts, inNode, words[j-1]+1, words[j]) {
				break
			}
			c.Words[j-i] = words[j]
			c.N++
			c.Hash = linear.Join(c.Hash, t.Lemma)
			if !canEndPredicate(t) {
				continue
			}
			c.FillsGap = int(c.N) == full
			out = append(out, c)
			if where == Between && c.FillsGap {
				back := c
				back.Reversed = true
				out = append(out, back)
			}
		}
	}
	return out
}

// appendCarried appends candidates of a verb and a preposition with an object between them: "riding
// a skateboard *down* a ramp". words are the words before the second object, and the preposition is
// their first. If a particle follows the verb, it is part of the candidate: "holding *up* a bat
// *on*".
func appendCarried(ts []tokens.Token, inNode []bool, words []int32, out []Candidate) []Candidate {
	last := len(words)
	for last > 0 && (last == len(words) || !AreSeparated(ts, inNode, words[last-1]+1, words[last])) {
		last--
	}
	if last == 0 || len(words)-last > MaxPredicate-1 || !canCarryVerb(&ts[words[last]]) || !canEndPredicate(&ts[words[len(words)-1]]) {
		return out
	}
	verbs := 0
	for i := last - 1; i >= 0 && verbs < maxCarried; i-- {
		if t := &ts[words[i]]; !penn.IsVerb(t.Tag) || t.IsBe {
			continue
		}
		verbs++
		whole := i
		for whole+1 < last && !AreSeparated(ts, inNode, words[whole]+1, words[whole+1]) {
			whole++
		}
		out = append(out, carryVerb(ts, words[i:i+1], words[last:]))
		if whole > i && whole+1 == last && whole+1-i+len(words)-last <= MaxPredicate {
			out = append(out, carryVerb(ts, words[i:last], words[last:]))
		}
	}
	return out
}

// maxCarried is the most verbs that appendCarried considers.
const maxCarried = 3

// canCarryVerb reports whether t, the first word of a predicate, can be joined with a verb before
// another object.
func canCarryVerb(t *tokens.Token) bool {
	return t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.RP || t.IsOneOf(" next close out outside inside near ")
}

func carryVerb(ts []tokens.Token, verb, words []int32) Candidate {
	c := Candidate{Position: Between, carriedWords: int8(len(verb))}
	for _, w := range verb {
		c.Words[c.N] = w
		c.N++
	}
	for _, w := range words {
		c.Words[c.N] = w
		c.N++
	}
	for _, w := range c.Words[:c.N] {
		c.Hash = linear.Join(c.Hash, ts[w].Lemma)
	}
	return c
}

// AreSeparated reports whether tokens [from, to) include an object, punctuation or a conjunction.
func AreSeparated(ts []tokens.Token, inNode []bool, from, to int32) bool {
	for i := from; i < to; i++ {
		if inNode[i] || ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC {
			return true
		}
	}
	return false
}

// EndsInPreposition reports whether a candidate ends in a preposition. Then the first object is its
// subject.
func EndsInPreposition(ts []tokens.Token, c *Candidate) bool {
	t := &ts[c.Words[c.N-1]]
	return c.Implied == 0 && (t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.RP)
}
