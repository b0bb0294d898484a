package analysis

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// Node is a range of tokens that is an object or an attribute.
type Node struct {
	From, To    int32
	IsAttribute bool
	head        uint32 // hash of the lemma of its last token
	Name        uint32 // hash of all its lemmas
	Class       uint32 // WordNet's class of its last token
	IsPerson    bool   // its last token names a person
	IsAlive     bool   // its last token names a person, an animal or a group
	IsGiven     bool   // it is a given phrase: see [Given]
	Entity      int32  // of Given
}

// PhraseStart returns the first token of object i with the attributes right before it.
func (x *Analysis) PhraseStart(i int) int32 {
	begin := x.Nodes[i].From
	for k := i - 1; k >= 0 && x.Nodes[k].IsAttribute && x.Nodes[k].To == begin; k-- {
		begin = x.Nodes[k].From
	}
	return begin
}

// AppendNodes appends the objects and attributes that labels mark in ts.
func AppendNodes(out []Node, ts []tokens.Token, labels []uint8) []Node {
	for i := 0; i < len(ts); i++ {
		l := labels[i]
		if l != BeginObject && l != BeginAttribute {
			continue
		}
		end := i + 1
		for end < len(ts) && labels[end] == l+1 {
			end++
		}
		out = append(out, NewNode(ts, i, end, l == BeginAttribute))
	}
	return out
}

// NewNode returns the node of tokens [from, to).
func NewNode(ts []tokens.Token, from, to int, attribute bool) Node {
	n := Node{From: int32(from), To: int32(to), IsAttribute: attribute, head: ts[to-1].Lemma, Class: uint32(ts[to-1].Class), IsPerson: ts[to-1].IsPerson(), IsAlive: ts[to-1].IsAlive()}
	for _, t := range ts[from:to] {
		n.Name = linear.Join(n.Name, t.Lemma)
	}
	return n
}

// FirstSentenceLen returns the number of tokens of the first sentence.
func FirstSentenceLen(ts []tokens.Token) int32 {
	for i := range ts {
		if ts[i].Tag == penn.Period {
			return int32(i) + 1
		}
	}
	return int32(len(ts))
}

// IsPronoun reports whether t is a pronoun that can name an object of an earlier sentence.
func IsPronoun(t *tokens.Token) bool {
	return t.Tag == penn.PRP && t.IsOneOf(" he her him it she them they ")
}

// labelPronouns labels pronouns of later sentences as objects, if they are subjects or follow a
// preposition or a verb.
func labelPronouns(ts []tokens.Token, labels []uint8) {
	for i := int(FirstSentenceLen(ts)); i < len(ts); i++ {
		if labels[i] != Outside || !IsPronoun(&ts[i]) || i+1 == len(ts) {
			continue
		}
		next := &ts[i+1]
		subject := ts[i].IsOneOf(" he it she they ") && (penn.IsVerb(next.Tag) || next.Tag == penn.MD || next.Tag == penn.RB)
		if subject || CanHaveObject(&ts[i-1]) && !ts[i].IsOneOf(" he she they ") {
			labels[i] = BeginObject
		}
	}
}

// CanHaveObject reports whether t can have a pronoun right after it as its object.
func CanHaveObject(t *tokens.Token) bool {
	return t.Tag == penn.IN || t.Tag == penn.TO || penn.IsVerb(t.Tag) && !t.IsBe
}

// The labels of tokens: begin or inside of an object or an attribute, or outside of both.
const (
	Outside = iota
	BeginObject
	inObject
	BeginAttribute
	inAttribute
	LabelCount
)

// AppendLabelContext appends the features of token i's label that do not depend on earlier labels.
func AppendLabelContext(ts []tokens.Token, i int, f []uint32) []uint32 {
	at := func(k int) *tokens.Token { return tokens.AtOrBorder(ts, int32(k)) }
	t, l, ll, r, rr := at(i), at(i-1), at(i-2), at(i+1), at(i+2)
	lll, rrr := at(i-3), at(i+3)
	w := t.Low
	n := len(w)
	pos := func(s *tokens.Token) uint32 { return uint32(s.Tag) + 1 }
	place := uint32(0)
	if i == 0 {
		place = 1
	}
	if i == len(ts)-1 {
		place |= 2
	}
	p := &t.Place
	at2 := uint32(p.Title)
	where := uint32(p.Behind)<<3 | uint32(p.Ahead)
	last := tokens.AtOrBorder(ts, p.Last)
	near := uint32(min(p.Ahead, 3))
	look := t.Shape()<<2 | at2
	f = append(f,
		linear.Join(161, look), linear.Join(162, l.Shape()<<12|t.Shape()<<8|r.Shape()<<4|at2), linear.Join(163, pos(t)<<8|look),
		linear.Join(164, pos(t)<<8|uint32(p.Ahead)<<2|at2), linear.Join(165, where<<2|at2), linear.Join(166, linear.Join(last.Lemma, near)),
		linear.Join(167, uint32(last.Class)<<16|uint32(t.Class)<<8|near), linear.Join(168, linear.Join(p.Closes, near)), linear.Join(169, linear.Join(p.Opens, uint32(min(p.Behind, 3)))),
		linear.Join(170, linear.Join(t.Hash, at2)), linear.Join(171, linear.Join(t.Lemma, uint32(p.Ahead))), linear.Join(172, linear.Join(last.Lemma, t.Lemma)),
		linear.Join(173, uint32(p.Part)<<12|uint32(p.Rest)<<8|look), linear.Join(174, unknownBit(l)<<10|unknownBit(t)<<9|unknownBit(r)<<8|look),
		linear.Join(175, linear.Join(pos(l)<<16|pos(t)<<8|pos(r), at2)), linear.Join(176, linear.Hash(w[max(0, n-4):])), linear.Join(177, linear.Hash(w[:min(n, 3)])),
		linear.Join(178, linear.Join(uint32(last.Tag)<<8|uint32(t.Tag), where)), linear.Join(179, linear.Join(p.Closes, pos(t)<<8|near)), linear.Join(180, uint32(t.NamePart)<<8|look),
	)
	return append(f,
		linear.Join(101, t.Hash), linear.Join(102, t.Lemma), linear.Join(103, l.Hash), linear.Join(104, r.Hash), linear.Join(105, ll.Hash), linear.Join(106, rr.Hash),
		linear.Join(107, linear.Join(l.Hash, t.Hash)), linear.Join(108, linear.Join(t.Hash, r.Hash)),
		linear.Join(109, pos(t)), linear.Join(110, pos(l)), linear.Join(111, pos(r)),
		linear.Join(112, pos(l)<<8|pos(t)), linear.Join(113, pos(t)<<8|pos(r)), linear.Join(114, pos(l)<<16|pos(t)<<8|pos(r)),
		linear.Join(115, pos(ll)<<16|pos(l)<<8|pos(t)), linear.Join(116, pos(t)<<16|pos(r)<<8|pos(rr)),
		linear.Join(117, linear.Hash(w[max(0, n-3):])), linear.Join(118, linear.Hash(w[max(0, n-2):])),
		linear.Join(119, uint32(t.Flags)), linear.Join(120, uint32(t.Class)), linear.Join(121, uint32(r.Flags)), linear.Join(122, uint32(l.Flags)),
		linear.Join(123, uint32(t.Class)<<8|uint32(r.Class)), linear.Join(124, uint32(l.Class)<<8|uint32(t.Class)),
		linear.Join(125, linear.Join(t.Hash, pos(r))), linear.Join(126, linear.Join(t.Hash, pos(l))), linear.Join(127, linear.Join(t.Lemma, uint32(r.Class))),
		linear.Join(128, linear.Join(t.Hash, rr.Hash)), linear.Join(129, linear.Join(ll.Hash, t.Hash)),
		linear.Join(130, linear.Join(linear.Join(l.Hash, t.Hash), r.Hash)),
		linear.Join(131, linear.Join(pos(t), place)), linear.Join(132, linear.Join(t.Hash, place)),
		linear.Join(133, linear.Join(uint32(t.Flags), uint32(r.Flags))),
		linear.Join(134, linear.Join(l.Hash, r.Hash)), linear.Join(135, linear.Join(pos(r)<<16|pos(rr)<<8|pos(rrr), pos(t))),
		linear.Join(136, linear.Join(pos(l)<<16|pos(ll)<<8|pos(lll), pos(t))), linear.Join(137, linear.Join(t.Lemma, r.Lemma)), linear.Join(138, linear.Join(l.Lemma, t.Lemma)),
	)
}

// AppendLabelHistory appends the features of token i's label that depend on the label before it,
// one, and the label before that, two.
func AppendLabelHistory(ts []tokens.Token, i int, one, two uint32, f []uint32) []uint32 {
	t, l, r := &ts[i], tokens.AtOrBorder(ts, int32(i)-1), tokens.AtOrBorder(ts, int32(i)+1)
	h := one + 1
	hh := h<<4 | two + 1
	p := &t.Place
	f = append(f, linear.Join(181, hh<<16|l.Shape()<<12|t.Shape()<<8|uint32(p.Title)), linear.Join(182, linear.Join(h, uint32(p.Behind)<<8|uint32(p.Ahead)<<4|uint32(p.Title))),
		linear.Join(183, linear.Join(h, linear.Join(ts[p.Last].Lemma, uint32(min(p.Ahead, 3))))), linear.Join(184, hh<<16|uint32(p.Part)<<8|uint32(p.Title)<<4|uint32(p.Rest)))
	return append(f,
		linear.Join(150, h), linear.Join(151, hh), linear.Join(152, linear.Join(h, t.Hash)), linear.Join(153, linear.Join(h, uint32(t.Tag))), linear.Join(154, linear.Join(hh, uint32(t.Tag))),
		linear.Join(155, linear.Join(h, l.Hash)), linear.Join(156, linear.Join(linear.Join(h, l.Hash), t.Hash)), linear.Join(157, linear.Join(h, r.Hash)), linear.Join(158, linear.Join(hh, uint32(t.Tag)<<8|uint32(r.Tag))),
		linear.Join(159, linear.Join(h, uint32(t.Class)<<8|uint32(l.Class))), linear.Join(160, linear.Join(h, t.Lemma)),
	)
}

// unknownBit returns 1 if s is not in the lexicon, else 0.
func unknownBit(s *tokens.Token) uint32 {
	if s.Entry < 0 {
		return 1
	}
	return 0
}

// MayFollow reports whether label may come right after label before.
func MayFollow(label, before int) bool {
	switch label {
	case inObject:
		return before == BeginObject || before == inObject
	case inAttribute:
		return before == BeginAttribute || before == inAttribute
	}
	return true
}

// unifyNameLabels gives all words of a proper name the same label: that of its last word that has one.
// If none has, the name becomes an attribute if an object follows it, else an object.
func unifyNameLabels(ts []tokens.Token, labels []uint8) {
	for i := 0; i < len(ts); i++ {
		if ts[i].NamePart != tokens.NameBegin {
			continue
		}
		to := i + 1
		for to < len(ts) && ts[to].NamePart == tokens.NameInside {
			to++
		}
		begin := uint8(BeginObject)
		if to < len(ts) && (labels[to] == BeginObject || labels[to] == inObject) {
			begin = BeginAttribute
		}
		for _, l := range labels[i:to] {
			switch l {
			case BeginObject, inObject:
				begin = BeginObject
			case BeginAttribute, inAttribute:
				begin = BeginAttribute
			}
		}
		if begin == BeginAttribute || labels[i] != inObject {
			labels[i] = begin
		}
		for k := i + 1; k < to; k++ {
			labels[k] = begin + 1
		}
		if to < len(ts) && (labels[to] == inAttribute || labels[to] == inObject && begin == BeginAttribute) {
			labels[to]--
		}
		i = to - 1
	}
}
