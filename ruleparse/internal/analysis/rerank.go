package analysis

import (
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

// An analysis is chosen among a few by features of the whole: what is left over,
// what stands alone, which names and predicates go together.

// AppendWhole appends the features of a whole analysis.
func AppendWhole(ts []tokens.Token, x *Analysis, used []bool, f []uint32) []uint32 {
	for i := range used {
		used[i] = x.InNode[i]
	}
	objects, alone, loose := uint32(0), uint32(0), uint32(0)
	for i := range x.Nodes {
		n := &x.Nodes[i]
		var tags uint32
		for k := n.From; k < n.To; k++ {
			tags = tags<<6 | uint32(ts[k].Tag)
		}
		prev, follow := &tokens.Border, &tokens.Border
		if n.From > 0 {
			prev = &ts[n.From-1]
		}
		if int(n.To) < len(ts) {
			follow = &ts[n.To]
		}
		if n.Attribute {
			owners := uint32(0)
			for _, l := range x.Links {
				if l.Attribute == int32(i) {
					owners = min(2, owners+1)
					f = append(f, linear.Join(501, linear.Join(n.Name, x.Nodes[l.Object].head)))
				}
			}
			if owners == 0 {
				loose++
			}
			f = append(f, linear.Join(502, owners), linear.Join(503, linear.Join(n.Name, owners)), linear.Join(504, linear.Join(tags, owners)), linear.Join(505, linear.Join(linear.Join(tags, uint32(prev.Tag)<<8|uint32(follow.Tag)), owners)))
			continue
		}
		objects++
		var out, in, attributes uint32
		for e := range x.Edges {
			subject, object := x.Edges[e].ends()
			if subject == int32(i) {
				out = min(2, out+1)
			}
			if object == int32(i) {
				in = min(2, in+1)
			}
		}
		for _, l := range x.Links {
			if l.Object == int32(i) {
				attributes = min(3, attributes+1)
			}
		}
		if in+out == 0 {
			alone++
		}
		d := out<<2 | in
		f = append(f,
			linear.Join(510, n.Name), linear.Join(511, linear.Join(n.Name, d)), linear.Join(512, linear.Join(tags, d)), linear.Join(513, linear.Join(tags, uint32(prev.Tag)<<8|uint32(follow.Tag))),
			linear.Join(514, linear.Join(d, n.Class)), linear.Join(515, linear.Join(n.head, d)), linear.Join(516, d<<2|attributes), linear.Join(517, linear.Join(n.head, uint32(n.To-n.From))),
			linear.Join(518, linear.Join(d, linear.Join(prev.Lemma, follow.Lemma))), linear.Join(519, linear.Join(d, uint32(prev.Tag)<<8|uint32(follow.Tag))),
		)
		if i+1 < len(x.Nodes) {
			m := &x.Nodes[i+1]
			var linked uint32
			for _, e := range x.Edges {
				if e.A == int32(i) && e.B == int32(i+1) {
					linked = 1 + uint32(e.Candidate.Where)
				}
			}
			gap := min(2, uint32(m.From-n.To))
			kind := gap<<4 | linked<<1
			if m.Attribute {
				kind |= 1
			}
			f = append(f, linear.Join(520, kind), linear.Join(521, linear.Join(kind, linear.Join(n.head, m.head))), linear.Join(522, linear.Join(kind, n.Class<<8|m.Class)))
		}
	}
	for i := range x.Edges {
		e := &x.Edges[i]
		subject, object := e.ends()
		s, o := &x.Nodes[subject], &x.Nodes[object]
		h := linear.Join(e.Candidate.Hash, uint32(e.Candidate.Implied))
		for _, w := range e.Candidate.Words[:e.Candidate.N] {
			used[w] = true
		}
		var twins uint32
		for j := range x.Edges {
			if j != i && e.Candidate.Implied == 0 && x.Edges[j].Candidate.Words == e.Candidate.Words {
				if _, other := x.Edges[j].ends(); other == object {
					twins |= 1
				} else {
					twins |= 2
				}
			}
		}
		f = append(f,
			linear.Join(530, h), linear.Join(531, linear.Join(h, s.head)), linear.Join(532, linear.Join(h, o.head)), linear.Join(533, linear.Join(h, s.Class<<8|o.Class)),
			linear.Join(534, uint32(e.Candidate.Where)<<4|twins), linear.Join(535, linear.Join(h, twins)), linear.Join(536, linear.Join(s.head, o.head)), linear.Join(537, linear.Join(twins, uint32(min(3, e.B-e.A)))),
		)
	}
	lost := uint32(0)
	for i := range ts {
		t := &ts[i]
		if used[i] || t.Kind == tokens.Mark {
			continue
		}
		l, r := uint32(0), uint32(0)
		if i > 0 && used[i-1] {
			l = 1
		}
		if i+1 < len(ts) && used[i+1] {
			r = 1
		}
		if !Silent(t) {
			lost++
		}
		f = append(f, linear.Join(540, linear.Join(t.Hash, l<<1|r)), linear.Join(541, uint32(t.Tag)<<2|l<<1|r))
	}
	return append(f, linear.Join(550, min(6, objects)<<4|min(3, alone)), linear.Join(551, min(3, loose)), linear.Join(552, min(8, objects)<<8|min(9, uint32(len(x.Edges)))), linear.Join(553, min(6, lost)))
}

// ends are the nodes that are subject and object of a relation.
func (r *Relation) ends() (subject, object int32) {
	if r.Candidate.Reversed {
		return r.B, r.A
	}
	return r.A, r.B
}
