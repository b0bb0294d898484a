package ruleparse

import "strings"

// A candidate is a predicate that the text may state of two objects: the tokens
// at index words[:n], or a predicate that is implied. Reversed where the second
// object of the text is the subject.
type candidate struct {
	words    [maxPredicate]int32
	n        uint8
	implied  uint8 // 1 + index into impliedPredicates
	where    uint8
	reversed bool
	whole    bool // all that lies between
	carried  int8 // how many of its words have an object after them and before the others
	hash     uint32
}

// forward reports whether words between its two objects say c of the first.
func (c *candidate) forward() bool { return c.implied == 0 && !c.reversed && c.where == between }

// Where the words of a candidate stand.
const (
	between = iota
	after
	before
	nowhere
)

const (
	maxPredicate = 5  // words of a predicate
	maxBetween   = 9  // words between that are considered, the nearest to the second object
	maxAround    = 4  // words before and after
	maxImplied   = 3  // tokens between two objects whose relation is implied
	maxPair      = 40 // tokens between two objects that may be related
	maxNeighbour = 9  // nodes between two objects that may be related
)

// impliedPredicates are relations that no word states: "the dog's tail", "a
// kitchen table".
var impliedPredicates = [...]string{"have", "in", "on", "with"}

// impliedReversed are those that also hold from the second object to the first.
const impliedReversed = 2

// silent reports whether a token has no part in a predicate: a determiner, an
// auxiliary, punctuation.
func silent(t *span) bool {
	switch t.tag {
	case tagDT, tagPRPS, tagEX, tagMD, tagWDT, tagWP, tagWPS, tagPOS, tagCC, tagPDT, tagCD, tagUH:
		return true
	case tagRB, tagRBR:
		switch t.low {
		case "not", "n't", "very", "also", "just", "now", "still", "too", "so", "quite", "partially", "partly", "slightly", "completely":
			return true
		}
		return len(t.low) > 4 && t.low[len(t.low)-2:] == "ly"
	}
	return t.kind == mark || t.kind == clitic || t.be || t.measure
}

// measureNouns count or measure what follows their "of": they are no part of a
// predicate.
const measureNouns = " body bodies bunch bunches pair pairs piece pieces group groups slice slices couple lot lots number variety herd flock pack row rows amount assortment collection set array "

// markMeasures marks "bunch of" and its like.
func markMeasures(ts []span) {
	for i := range ts {
		t := &ts[i]
		t.measure = i+1 < len(ts) && ts[i+1].low == "of" && isNoun(t.tag) && strings.Contains(measureNouns, " "+t.low+" ") ||
			i > 0 && t.low == "of" && ts[i-1].measure
	}
}

// opens and closes report whether a predicate can begin or end with t.
func opens(t *span) bool {
	switch t.tag {
	case tagCD, tagPRP, tagNNP:
		return false
	}
	return true
}

func closes(t *span) bool {
	switch t.tag {
	case tagPRP, tagCD, tagJJ, tagJJR, tagJJS:
		return false
	case tagRB, tagRBR:
		return oneOf(particles, t.low)
	}
	return true
}

// particles are the adverbs that end a predicate.
const particles = " up down out away back over off around together in on by along across through forward behind above below underneath inside outside near apart onto ontop "

// region lists the words between tokens from and to that are in no node and not silent.
func region(ts []span, inNode []bool, from, to, most int, out []int32) []int32 {
	for i := from; i < to; i++ {
		if !inNode[i] && !silent(&ts[i]) {
			out = append(out, int32(i))
		}
	}
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return out
}

// candidates lists what the text may state of objects a and b, a before b.
// left and right bound the words before a and after b that are in no other object.
func candidates(ts []span, inNode []bool, a, b *node, left, right int, out []candidate) []candidate {
	var buf [maxPair + 2*maxAround + 8]int32
	words := region(ts, inNode, int(a.to), int(b.from), maxBetween, buf[:0])
	full := len(words)
	if full == maxBetween {
		full = 99
	}
	out = runs(ts, inNode, words, full, between, false, out)
	out = carried(ts, inNode, words, out)
	words = region(ts, inNode, int(b.to), min(right, int(b.to)+maxAround+2), maxAround, buf[:0])
	out = runs(ts, inNode, words, 99, after, true, out)
	words = region(ts, inNode, max(left, int(a.from)-maxAround-2), int(a.from), maxAround, buf[:0])
	out = runs(ts, inNode, words, 99, before, true, out)
	if b.from-a.to > maxImplied {
		return out
	}
	for i := range impliedPredicates {
		out = append(out, candidate{implied: uint8(i + 1), where: nowhere, hash: uint32(i + 1)})
		if i < impliedReversed {
			out = append(out, candidate{implied: uint8(i + 1), where: nowhere, reversed: true, hash: uint32(i + 1)})
		}
	}
	return out
}

// runs lists the contiguous parts of words. Between two objects a run may also
// hold backwards ("wall mounted tv").
func runs(ts []span, inNode []bool, words []int32, full int, where uint8, reversed bool, out []candidate) []candidate {
	for i := range words {
		if !opens(&ts[words[i]]) {
			continue
		}
		c := candidate{where: where, reversed: reversed}
		for j := i; j < len(words) && j-i < maxPredicate; j++ {
			t := &ts[words[j]]
			if j > i && parted(ts, inNode, words[j-1]+1, words[j]) {
				break
			}
			c.words[j-i] = words[j]
			c.n++
			c.hash = join(c.hash, t.lemma)
			if !closes(t) {
				continue
			}
			c.whole = int(c.n) == full
			out = append(out, c)
			if where == between && c.whole {
				back := c
				back.reversed = true
				out = append(out, back)
			}
		}
	}
	return out
}

// carried lists the verbs among words that have an object before the last of words,
// each with the preposition that begins these: "riding a skateboard *down* a ramp". A
// verb right before its object takes its own particle along: "holding *up* a bat *on*".
func carried(ts []span, inNode []bool, words []int32, out []candidate) []candidate {
	last := len(words)
	for last > 0 && (last == len(words) || !parted(ts, inNode, words[last-1]+1, words[last])) {
		last--
	}
	if last == 0 || len(words)-last > maxPredicate-1 || !carries(&ts[words[last]]) || !closes(&ts[words[len(words)-1]]) {
		return out
	}
	verbs := 0
	for i := last - 1; i >= 0 && verbs < maxCarried; i-- {
		if t := &ts[words[i]]; !isVerb(t.tag) || t.be {
			continue
		}
		verbs++
		whole := i
		for whole+1 < last && !parted(ts, inNode, words[whole]+1, words[whole+1]) {
			whole++
		}
		out = append(out, carry(ts, words[i:i+1], words[last:]))
		if whole > i && whole+1 == last && whole+1-i+len(words)-last <= maxPredicate {
			out = append(out, carry(ts, words[i:last], words[last:]))
		}
	}
	return out
}

// maxCarried is how many verbs may be carried over their objects to another.
const maxCarried = 3

// carries reports whether a predicate that begins with t may have a verb carried to it.
func carries(t *span) bool {
	return t.tag == tagIN || t.tag == tagTO || t.tag == tagRP || oneOf(" next close out outside inside near ", t.low)
}

func carry(ts []span, verb, words []int32) candidate {
	c := candidate{where: between, carried: int8(len(verb))}
	for _, w := range verb {
		c.words[c.n] = w
		c.n++
	}
	for _, w := range words {
		c.words[c.n] = w
		c.n++
	}
	for _, w := range c.words[:c.n] {
		c.hash = join(c.hash, ts[w].lemma)
	}
	return c
}

// parted reports whether an object, punctuation or a conjunction stands between.
func parted(ts []span, inNode []bool, from, to int32) bool {
	for i := from; i < to; i++ {
		if inNode[i] || ts[i].kind == mark || ts[i].tag == tagCC {
			return true
		}
	}
	return false
}
