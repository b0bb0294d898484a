package ruleparse

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"capgraph/schemas"
)

// FACTUAL's annotators leave out some of what captions say, and write some of it in
// another way: tricks that are done, rooms that scenes show. A linear model says of each
// claim how likely they write it so.

// omissions is the model: rows of four bytes in ascending order, the first three of
// the hash of a feature and its weight.
type omissions struct {
	rows string
	unit float32
}

const omissionRow = 4

// readOmissions reads the form that appendOmissions writes.
func readOmissions(s string) (*omissions, error) {
	if len(s) < omissionRow || len(s)%omissionRow != 0 {
		return nil, fmt.Errorf("omissions: %d bytes", len(s))
	}
	m := &omissions{s[omissionRow:], math.Float32frombits(binary.LittleEndian.Uint32([]byte(s)))}
	for k := 1; k < m.len(); k++ {
		if m.key(k-1) >= m.key(k) {
			return nil, fmt.Errorf("omissions: row %d is out of order", k)
		}
	}
	return m, nil
}

func (m *omissions) len() int { return len(m.rows) / omissionRow }

func (m *omissions) key(k int) string { return m.rows[k*omissionRow:][:omissionRow-1] }

// weight is that of feature h.
func (m *omissions) weight(h uint32) int32 {
	key := string([]byte{byte(h >> 24), byte(h >> 16), byte(h >> 8)})
	from, to := 0, m.len()
	for from < to {
		if k := (from + to) / 2; m.key(k) < key {
			from = k + 1
		} else {
			to = k
		}
	}
	if from == m.len() || m.key(from) != key {
		return 0
	}
	return int32(int8(m.rows[from*omissionRow+omissionRow-1]))
}

// What a claim costs that is kept, where a right one brings 1 (at half of F1 it makes F1
// highest), and what it brings beside where all claims are right: a graph that may be
// right as it is stays whole.
const (
	claimCost  = 0.45
	graphWorth = 2
)

// omit leaves out of cs what the annotators would hardly write.
func (p *Parser) omit(x *schemas.Parsed, cs []claim) []claim {
	if p.omissions == nil {
		return cs
	}
	v := p.view(x, cs)
	gain := make([]float32, len(cs))
	all := float32(1)
	var f []uint32
	for i := range cs {
		f = v.features(&cs[i], f[:0])
		var sum int32
		for _, h := range f {
			sum += p.omissions.weight(h)
		}
		gain[i] = 1 / (1 + exp(-float32(sum)*p.omissions.unit))
		all *= gain[i]
	}
	for i, g := range gain {
		gain[i] = g - claimCost + graphWorth*all
	}
	gone := v.gone(gain)
	kept := cs[:0]
	for i, c := range cs {
		if !gone[c.subject] && !gone[c.object] && (c.Predicate == "" || gain[i] > 0) {
			kept = append(kept, c)
		}
	}
	return kept
}

// gone are the objects that are left out with all that is said of them: together
// they cost more than they bring.
func (v *view) gone(gain []float32) []bool {
	gone := make([]bool, len(v.about))
	for again := true; again; {
		again = false
		for o, about := range v.about {
			var sum float32
			for _, i := range about {
				c := &v.claims[i]
				if !gone[c.subject] && !gone[c.object] && (c.Predicate == "" || gain[i] > 0) {
					sum += gain[i]
				}
			}
			if sum < 0 {
				gone[o], again = true, true
			}
		}
	}
	return gone
}

// view is what the features of claims look at.
type view struct {
	claims []claim
	about  [][]int32 // by object: the claims about it
	graph  *schemas.SceneGraph
	tokens []schemas.Token
	words  []word // by object
	trust  uint32 // of the graph
	size   uint32 // of the text
	shape  uint32 // of the graph
}

// word is what the features of claims know of an object.
type word struct {
	name, head, class, degree uint32
	first, last               int // tokens
	before, after             uint32
}

func (p *Parser) view(x *schemas.Parsed, cs []claim) *view {
	g := &x.Graph
	v := &view{
		claims: cs, about: make([][]int32, len(g.Objects)), graph: g, tokens: x.Tokens, words: make([]word, len(g.Objects)),
		trust: min(9, uint32(x.Confidence*10)), size: uint32(min(12, len(x.Tokens))), shape: uint32(min(6, len(g.Objects)))<<4 | uint32(min(6, len(g.Relations))),
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		w := &v.words[i]
		w.head = hashString(o.Head)
		w.class = p.lexicon.classOf(o.Head, w.head)
		w.first, w.last = v.token(o.Begin), v.token(o.End)-1
		w.before, w.after = v.lemma(w.first-1), v.lemma(w.last+1)
		w.degree = uint32(min(3, len(o.Attributes)))
	}
	for i := range g.Relations {
		e := &g.Relations[i]
		s, o := &v.words[e.Subject], &v.words[e.Object]
		if s.degree>>4 < 3 {
			s.degree += 1 << 4
		}
		if o.degree>>2&3 < 3 {
			o.degree += 1 << 2
		}
	}
	for i := range cs {
		c := &cs[i]
		v.about[c.subject] = append(v.about[c.subject], int32(i))
		if c.object != c.subject {
			v.about[c.object] = append(v.about[c.object], int32(i))
		}
		if c.Predicate == "" {
			v.words[c.subject].name = hashString(c.Subject)
		}
	}
	return v
}

// token is the first token that begins at an offset or after it.
func (v *view) token(at int32) int {
	k, _ := slices.BinarySearchFunc(v.tokens, at, func(t schemas.Token, at int32) int { return int(t.Begin - at) })
	return k
}

// lemma is the hash of the lemma of token i.
func (v *view) lemma(i int) uint32 {
	if i < 0 || i >= len(v.tokens) {
		return 0
	}
	return hashString(v.tokens[i].Lemma)
}

// tag is the hash of the tag of token i.
func (v *view) tag(i int) uint32 {
	if i < 0 || i >= len(v.tokens) {
		return 0
	}
	return hashString(v.tokens[i].Tag)
}

// features appends what it depends on whether c is written.
func (v *view) features(c *claim, f []uint32) []uint32 {
	switch c.Predicate {
	case "":
		return v.ofObject(c, f)
	case "is":
		return v.ofAttribute(c, f)
	}
	return v.ofRelation(c, f)
}

func (v *view) ofObject(c *claim, f []uint32) []uint32 {
	w := &v.words[c.subject]
	f = append(f,
		join(600, w.name), join(601, w.head), join(602, w.degree), join(603, join(w.degree, w.name)), join(604, w.class), join(605, join(w.class, w.degree)),
		join(606, v.trust), join(607, join(v.trust, v.size)), join(608, v.shape), join(609, join(uint32(w.last-w.first), w.class)),
		join(610, join(w.before, w.name)), join(611, join(w.after, w.name)), join(612, join(w.after, w.degree)), join(613, join(w.before, w.after)),
		join(614, join(join(v.tag(w.first-1), v.tag(w.last)), v.tag(w.last+1))),
	)
	for _, i := range v.about[c.subject] {
		d := &v.claims[i]
		h := hashString(d.Predicate)
		switch {
		case d.Predicate == "":
		case d.subject == c.subject:
			other := hashString(d.Object)
			f = append(f, join(620, join(h, w.name)), join(621, join(join(h, w.name), other)), join(622, join(h, v.words[d.object].class)))
		default:
			s := &v.words[d.subject]
			f = append(f, join(623, join(h, w.name)), join(624, join(w.name, s.name)), join(625, join(h, s.class)))
		}
	}
	return f
}

func (v *view) ofAttribute(c *claim, f []uint32) []uint32 {
	w := &v.words[c.subject]
	h := hashString(c.Object)
	f = append(f,
		join(630, w.name), join(631, h), join(632, join(w.name, h)), join(633, w.degree), join(634, join(w.degree, h)), join(635, join(w.class, h)),
		join(636, v.trust), join(637, join(v.trust, v.size)), join(638, join(w.head, h)), join(639, join(v.shape, h)), join(640, v.shape),
		join(641, join(w.before, h)), join(642, join(w.before, w.name)), join(643, join(w.after, w.name)), join(644, join(h, v.tag(w.last))), join(645, join(w.name, w.degree)),
	)
	if c.attribute != nil {
		k := v.token(c.attribute.Begin)
		f = append(f, join(646, join(v.lemma(k-1), h)), join(647, join(v.lemma(k+1), h)), join(648, join(uint32(k-w.first), h)), join(649, join(uint32(k-w.first), v.tag(k))))
	} else {
		q := hashString(v.graph.Objects[c.subject].Quantity)
		f = append(f, join(650, q), join(651, join(q, w.name)), join(652, join(q, w.before)))
	}
	for _, i := range v.about[c.subject] {
		d := &v.claims[i]
		r := hashString(d.Predicate)
		switch {
		case d == c || d.Predicate == "":
		case d.Predicate == "is":
			f = append(f, join(653, join(hashString(d.Object), h)))
		case d.subject == c.subject:
			f = append(f, join(654, join(r, h)), join(655, join(r, w.name)))
		default:
			f = append(f, join(656, join(r, h)), join(657, join(r, w.name)), join(658, join(join(v.words[d.subject].name, w.name), h)))
		}
	}
	return f
}

func (v *view) ofRelation(c *claim, f []uint32) []uint32 {
	s, o := &v.words[c.subject], &v.words[c.object]
	h := hashString(c.Predicate)
	said := h // and how the graph says it
	if r := c.relation; r != nil {
		said = join(h, hashString(r.Lemma))
		if r.Begin == schemas.NoOffset {
			said++
		}
	}
	gap := uint32(max(-8, min(9, o.first-s.last)))
	f = append(f,
		join(660, h), join(661, said), join(662, join(join(h, s.name), o.name)), join(663, v.trust), join(664, join(v.trust, v.size)), join(665, join(h, v.trust)),
		join(666, join(h, s.degree)), join(667, join(h, s.class<<8|o.class)), join(668, join(said, s.name)), join(669, join(said, o.name)),
		join(670, join(join(said, s.name), o.name)), join(671, join(said, s.class<<8|o.class)), join(672, join(said, gap)), join(673, gap), join(674, join(said, v.shape)),
		join(675, join(said, s.degree)), join(676, join(said, o.degree)), join(677, join(join(h, s.head), o.head)), join(678, join(join(said, s.after), o.before)),
	)
	for _, at := range [...]int{c.subject, c.object} {
		for _, i := range v.about[at] {
			d := &v.claims[i]
			if d == c || d.Predicate == "" || d.Predicate == "is" {
				continue
			}
			r := join(hashString(d.Predicate), h)
			switch {
			case d.subject == c.subject && d.object == c.object:
				f = append(f, join(680, h))
			case at == c.subject && d.subject == at:
				f = append(f, join(681, r))
			case at == c.subject:
				f = append(f, join(682, r), join(683, join(join(v.words[d.subject].name, h), o.name)))
			case d.object == at:
				f = append(f, join(684, r))
			}
		}
	}
	return f
}
