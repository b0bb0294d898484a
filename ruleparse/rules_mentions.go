package ruleparse

// In a text of several sentences, as vision–language models write them, a thing that is
// named again is one object, and what is said of the picture makes none.

// sentences are what a text of several sentences has said so far: of each object when it
// was named last, and which one each sentence begins with.
type sentences struct {
	first   int32          // tokens of the first sentence
	named   map[uint32]int // the last node by the hash of its last word; nil in one sentence
	persons int            // how many persons were named, each of them once
	person  int            // the last of them
	subject int            // the first object of this sentence, or -1
	before  int            // that of the sentence before, or -1
	begin   int32          // where this sentence begins
}

func newSentences(ts []span) sentences {
	return sentences{first: firstSentence(ts), subject: -1, before: -1}
}

// firstSentence is how many tokens the first sentence of a text has.
func firstSentence(ts []span) int32 {
	for i := range ts {
		if ts[i].tag == tagPeriod {
			return int32(i) + 1
		}
	}
	return int32(len(ts))
}

// several reports whether there is more than one sentence.
func (s *sentences) several(ts []span) bool { return int(s.first) < len(ts) }

// again is the node before object b that b names again, or -1: a later sentence has "the"
// or its like and the same last word, alone or in the same name ("A cat sits on a bed. *The
// cat* is black."), or a person where only one was named ("A skater … *The man* …"); or a
// pronoun begins a clause of it ("*He* wears a hat").
func (s *sentences) again(ts []span, x *analysis, b int) int {
	if !s.several(ts) {
		return -1
	}
	s.reach(ts, x, b)
	n := &x.nodes[b]
	a := s.antecedent(ts, x, b)
	if a < 0 && !isPronoun(&ts[n.from]) {
		s.name(ts, x, b)
	}
	if s.subject < 0 && (a >= 0 || !isPronoun(&ts[n.from])) {
		if s.subject = b; a >= 0 {
			s.subject = a
		}
	}
	return a
}

// reach goes on to the sentence of node b.
func (s *sentences) reach(ts []span, x *analysis, b int) {
	for i := s.begin; i < x.nodes[b].from; i++ {
		if ts[i].tag == tagPeriod {
			s.before, s.subject, s.begin = s.subject, -1, i+1
		}
	}
}

func (s *sentences) antecedent(ts []span, x *analysis, b int) int {
	n := &x.nodes[b]
	if n.from < s.first {
		return -1
	}
	t := &ts[n.to-1]
	if isPronoun(t) {
		return s.pronoun(ts, x, t)
	}
	if !definite(ts, x.begins(b)) {
		return -1
	}
	if a, ok := s.named[t.hash]; ok && (n.to-n.from == 1 || n.name == x.nodes[a].name) {
		return a
	}
	if n.person && s.persons == 1 && t.flags&nounPlural == 0 && n.to-n.from == 1 {
		return s.person
	}
	return -1
}

// pronoun is what a subject of a later sentence stands for: the person of whom alone it was
// spoken, or what this sentence or the one before it began with.
func (s *sentences) pronoun(ts []span, x *analysis, t *span) int {
	for _, a := range [...]int{s.subject, s.before} {
		if a >= 0 && standsFor(t, &ts[x.nodes[a].to-1], &x.nodes[a]) {
			return a
		}
	}
	if (t.low == "he" || t.low == "she") && s.persons == 1 {
		return s.person
	}
	return -1
}

func (s *sentences) name(ts []span, x *analysis, b int) {
	n := &x.nodes[b]
	if s.named == nil {
		s.named = make(map[uint32]int)
	}
	s.named[ts[n.to-1].hash] = b
	if n.person {
		s.person = b
		if s.persons++; ts[n.to-1].flags&nounPlural != 0 {
			s.persons++
		}
	}
}

// definite reports whether what begins at token i is said to be known: "the", "this",
// but not "the other".
func definite(ts []span, i int32) bool {
	return i > 0 && oneOf(" that the these this those ", ts[i-1].low) && ts[i].low != "other"
}

// isPronoun reports whether t is a pronoun that can be a subject.
func isPronoun(t *span) bool { return t.tag == tagPRP && oneOf(" he she it they ", t.low) }

// pronouns labels the subjects of later sentences that are pronouns as objects.
func labelPronouns(ts []span, labels []uint8) {
	for i := int(firstSentence(ts)); i < len(ts); i++ {
		if labels[i] == outside && isPronoun(&ts[i]) && i+1 < len(ts) && (isVerb(ts[i+1].tag) || ts[i+1].tag == tagMD || ts[i+1].tag == tagRB) {
			labels[i] = beginObject
		}
	}
}

// ofPicture reports whether object b is nothing that the picture shows: the picture itself
// ("the image shows", "in this lively scene"), what it is like ("a touch of warmth"), or what
// such a word takes with "of".
func (s *sentences) ofPicture(ts []span, x *analysis, b int) bool {
	if !s.several(ts) {
		return false
	}
	n := &x.nodes[b]
	if t := &ts[n.to-1]; oneOf(moods, t.low) || oneOf(depictions, t.low) && definite(ts, x.begins(b)) {
		return true
	}
	if c := ts[n.to-1].class; c == classCognition || c == classFeeling || c == classState || c == classAttribute {
		return true
	}
	from := x.begins(b)
	return from > 1 && ts[from-1].low == "of" && oneOf(moods, ts[from-2].low)
}
