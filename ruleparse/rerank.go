package ruleparse

// An analysis is chosen among a few by features of the whole: what is left over,
// what stands alone, which names and predicates go together.

// appendWhole appends the features of a whole analysis.
func appendWhole(ts []span, x *analysis, used []bool, f []uint32) []uint32 {
	for i := range used {
		used[i] = x.inNode[i]
	}
	objects, alone, loose := uint32(0), uint32(0), uint32(0)
	for i := range x.nodes {
		n := &x.nodes[i]
		var tags uint32
		for k := n.from; k < n.to; k++ {
			tags = tags<<6 | uint32(ts[k].tag)
		}
		prev, follow := &border, &border
		if n.from > 0 {
			prev = &ts[n.from-1]
		}
		if int(n.to) < len(ts) {
			follow = &ts[n.to]
		}
		if n.attribute {
			owners := uint32(0)
			for _, l := range x.links {
				if l.attribute == int32(i) {
					owners = min(2, owners+1)
					f = append(f, join(501, join(n.name, x.nodes[l.object].head)))
				}
			}
			if owners == 0 {
				loose++
			}
			f = append(f, join(502, owners), join(503, join(n.name, owners)), join(504, join(tags, owners)), join(505, join(join(tags, uint32(prev.tag)<<8|uint32(follow.tag)), owners)))
			continue
		}
		objects++
		var out, in, attributes uint32
		for e := range x.edges {
			subject, object := x.edges[e].ends()
			if subject == int32(i) {
				out = min(2, out+1)
			}
			if object == int32(i) {
				in = min(2, in+1)
			}
		}
		for _, l := range x.links {
			if l.object == int32(i) {
				attributes = min(3, attributes+1)
			}
		}
		if in+out == 0 {
			alone++
		}
		d := out<<2 | in
		f = append(f,
			join(510, n.name), join(511, join(n.name, d)), join(512, join(tags, d)), join(513, join(tags, uint32(prev.tag)<<8|uint32(follow.tag))),
			join(514, join(d, n.class)), join(515, join(n.head, d)), join(516, d<<2|attributes), join(517, join(n.head, uint32(n.to-n.from))),
			join(518, join(d, join(prev.lemma, follow.lemma))), join(519, join(d, uint32(prev.tag)<<8|uint32(follow.tag))),
		)
		if i+1 < len(x.nodes) {
			m := &x.nodes[i+1]
			var linked uint32
			for _, e := range x.edges {
				if e.a == int32(i) && e.b == int32(i+1) {
					linked = 1 + uint32(e.candidate.where)
				}
			}
			gap := min(2, uint32(m.from-n.to))
			kind := gap<<4 | linked<<1
			if m.attribute {
				kind |= 1
			}
			f = append(f, join(520, kind), join(521, join(kind, join(n.head, m.head))), join(522, join(kind, n.class<<8|m.class)))
		}
	}
	for i := range x.edges {
		e := &x.edges[i]
		subject, object := e.ends()
		s, o := &x.nodes[subject], &x.nodes[object]
		h := join(e.candidate.hash, uint32(e.candidate.implied))
		for _, w := range e.candidate.words[:e.candidate.n] {
			used[w] = true
		}
		var twins uint32
		for j := range x.edges {
			if j != i && e.candidate.implied == 0 && x.edges[j].candidate.words == e.candidate.words {
				if _, other := x.edges[j].ends(); other == object {
					twins |= 1
				} else {
					twins |= 2
				}
			}
		}
		f = append(f,
			join(530, h), join(531, join(h, s.head)), join(532, join(h, o.head)), join(533, join(h, s.class<<8|o.class)),
			join(534, uint32(e.candidate.where)<<4|twins), join(535, join(h, twins)), join(536, join(s.head, o.head)), join(537, join(twins, uint32(min(3, e.b-e.a)))),
		)
	}
	lost := uint32(0)
	for i := range ts {
		t := &ts[i]
		if used[i] || t.kind == mark {
			continue
		}
		l, r := uint32(0), uint32(0)
		if i > 0 && used[i-1] {
			l = 1
		}
		if i+1 < len(ts) && used[i+1] {
			r = 1
		}
		if !silent(t) {
			lost++
		}
		f = append(f, join(540, join(t.hash, l<<1|r)), join(541, uint32(t.tag)<<2|l<<1|r))
	}
	return append(f, join(550, min(6, objects)<<4|min(3, alone)), join(551, min(3, loose)), join(552, min(8, objects)<<8|min(9, uint32(len(x.edges)))), join(553, min(6, lost)))
}

// ends are the nodes that are subject and object of a relation.
func (r *relation) ends() (subject, object int32) {
	if r.candidate.reversed {
		return r.b, r.a
	}
	return r.a, r.b
}
