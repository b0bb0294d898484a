package ruleparse

// A node is a range of tokens that is an object or an attribute.
type node struct {
	from, to  int32
	attribute bool
	head      uint32 // hash of the lemma of its last token
	name      uint32 // hash of all its lemmas
	class     uint32 // WordNet's class of its last token
	person    bool   // its last token names one
	alive     bool   // its last token names a person, an animal or a group
}

// The labels of tokens: what begins and what continues an object or an attribute.
const (
	outside = iota
	beginObject
	inObject
	beginAttribute
	inAttribute
	labelCount
)

// begins is where the attributes begin that stand right before object i, or the
// object itself.
func (x *analysis) begins(i int) int32 {
	begin := x.nodes[i].from
	for k := i - 1; k >= 0 && x.nodes[k].attribute && x.nodes[k].to == begin; k-- {
		begin = x.nodes[k].from
	}
	return begin
}

// labelContext collects what does not depend on the labels chosen before.
func labelContext(ts []span, i int, f []uint32) []uint32 {
	at := func(k int) *span {
		if k < 0 || k >= len(ts) {
			return &border
		}
		return &ts[k]
	}
	t, l, ll, r, rr := at(i), at(i-1), at(i-2), at(i+1), at(i+2)
	lll, rrr := at(i-3), at(i+3)
	w := t.low
	n := len(w)
	pos := func(s *span) uint32 { return uint32(s.tag) + 1 }
	place := uint32(0)
	if i == 0 {
		place = 1
	}
	if i == len(ts)-1 {
		place |= 2
	}
	p := &t.place
	at2 := uint32(p.title)
	where := uint32(p.behind)<<3 | uint32(p.ahead)
	last := &border
	if int(p.last) < len(ts) && i < len(ts) {
		last = &ts[p.last]
	}
	near := uint32(min(p.ahead, 3))
	look := t.shape()<<2 | at2
	f = append(f,
		join(161, look), join(162, l.shape()<<12|t.shape()<<8|r.shape()<<4|at2), join(163, pos(t)<<8|look),
		join(164, pos(t)<<8|uint32(p.ahead)<<2|at2), join(165, where<<2|at2), join(166, join(last.lemma, near)),
		join(167, uint32(last.class)<<16|uint32(t.class)<<8|near), join(168, join(p.closes, near)), join(169, join(p.opens, uint32(min(p.behind, 3)))),
		join(170, join(t.hash, at2)), join(171, join(t.lemma, uint32(p.ahead))), join(172, join(last.lemma, t.lemma)),
		join(173, uint32(p.part)<<12|uint32(p.rest)<<8|look), join(174, unknown(l)<<10|unknown(t)<<9|unknown(r)<<8|look),
		join(175, join(pos(l)<<16|pos(t)<<8|pos(r), at2)), join(176, hashString(w[max(0, n-4):])), join(177, hashString(w[:min(n, 3)])),
		join(178, join(uint32(last.tag)<<8|uint32(t.tag), where)), join(179, join(p.closes, pos(t)<<8|near)), join(180, uint32(t.known)<<8|look),
	)
	return append(f,
		join(101, t.hash), join(102, t.lemma), join(103, l.hash), join(104, r.hash), join(105, ll.hash), join(106, rr.hash),
		join(107, join(l.hash, t.hash)), join(108, join(t.hash, r.hash)),
		join(109, pos(t)), join(110, pos(l)), join(111, pos(r)),
		join(112, pos(l)<<8|pos(t)), join(113, pos(t)<<8|pos(r)), join(114, pos(l)<<16|pos(t)<<8|pos(r)),
		join(115, pos(ll)<<16|pos(l)<<8|pos(t)), join(116, pos(t)<<16|pos(r)<<8|pos(rr)),
		join(117, hashString(w[max(0, n-3):])), join(118, hashString(w[max(0, n-2):])),
		join(119, uint32(t.flags)), join(120, uint32(t.class)), join(121, uint32(r.flags)), join(122, uint32(l.flags)),
		join(123, uint32(t.class)<<8|uint32(r.class)), join(124, uint32(l.class)<<8|uint32(t.class)),
		join(125, join(t.hash, pos(r))), join(126, join(t.hash, pos(l))), join(127, join(t.lemma, uint32(r.class))),
		join(128, join(t.hash, rr.hash)), join(129, join(ll.hash, t.hash)),
		join(130, join(join(l.hash, t.hash), r.hash)),
		join(131, join(pos(t), place)), join(132, join(t.hash, place)),
		join(133, join(uint32(t.flags), uint32(r.flags))),
		join(134, join(l.hash, r.hash)), join(135, join(pos(r)<<16|pos(rr)<<8|pos(rrr), pos(t))),
		join(136, join(pos(l)<<16|pos(ll)<<8|pos(lll), pos(t))), join(137, join(t.lemma, r.lemma)), join(138, join(l.lemma, t.lemma)),
	)
}

// labelHistory collects what depends on the two labels before.
func labelHistory(ts []span, i int, one, two uint32, f []uint32) []uint32 {
	t := &ts[i]
	l, r := &border, &border
	if i > 0 {
		l = &ts[i-1]
	}
	if i+1 < len(ts) {
		r = &ts[i+1]
	}
	h := one + 1
	hh := h<<4 | two + 1
	p := &t.place
	f = append(f, join(181, hh<<16|l.shape()<<12|t.shape()<<8|uint32(p.title)), join(182, join(h, uint32(p.behind)<<8|uint32(p.ahead)<<4|uint32(p.title))),
		join(183, join(h, join(ts[p.last].lemma, uint32(min(p.ahead, 3))))), join(184, hh<<16|uint32(p.part)<<8|uint32(p.title)<<4|uint32(p.rest)))
	return append(f,
		join(150, h), join(151, hh), join(152, join(h, t.hash)), join(153, join(h, uint32(t.tag))), join(154, join(hh, uint32(t.tag))),
		join(155, join(h, l.hash)), join(156, join(join(h, l.hash), t.hash)), join(157, join(h, r.hash)), join(158, join(hh, uint32(t.tag)<<8|uint32(r.tag))),
		join(159, join(h, uint32(t.class)<<8|uint32(l.class))), join(160, join(h, t.lemma)),
	)
}

// unknown is 1 where the lexicon does not have s.
func unknown(s *span) uint32 {
	if s.entry < 0 {
		return 1
	}
	return 0
}

// border stands for what lies outside a text.
var border = span{hash: 0x5bd1e995, lemma: 0x5bd1e995, tag: tagXX, low: " "}

// allowed reports whether label may follow the label before it.
func allowed(label, before int) bool {
	switch label {
	case inObject:
		return before == beginObject || before == inObject
	case inAttribute:
		return before == beginAttribute || before == inAttribute
	}
	return true
}

// appendNodes reads nodes off labels.
func appendNodes(out []node, ts []span, labels []uint8) []node {
	for i := 0; i < len(ts); i++ {
		l := labels[i]
		if l != beginObject && l != beginAttribute {
			continue
		}
		end := i + 1
		for end < len(ts) && labels[end] == l+1 {
			end++
		}
		out = append(out, makeNode(ts, i, end, l == beginAttribute))
	}
	return out
}

func makeNode(ts []span, from, to int, attribute bool) node {
	n := node{from: int32(from), to: int32(to), attribute: attribute, head: ts[to-1].lemma, class: uint32(ts[to-1].class), person: ts[to-1].person(), alive: ts[to-1].alive()}
	for _, t := range ts[from:to] {
		n.name = join(n.name, t.lemma)
	}
	return n
}
