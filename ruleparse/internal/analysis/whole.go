package analysis

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

// wholeFeatures collects features of a whole analysis, over all its nodes and relations.
type wholeFeatures struct {
	ts   []tokens.Token
	x    *Analysis
	used []bool // by token: a node or a relation has it
	list []uint32
	// The numbers of objects, of objects without relations, and of attributes without objects.
	objects, alone, loose uint32
}

// AppendWholeAnalysis appends the features of a whole analysis: unused words, objects without relations, and the names
// and predicates that occur together.
func AppendWholeAnalysis(ts []tokens.Token, x *Analysis, used []bool, list []uint32) []uint32 {
	f := wholeFeatures{ts: ts, x: x, used: used, list: list}
	for i := range used {
		used[i] = x.InNode[i]
	}
	for i := range x.Nodes {
		if x.Nodes[i].IsAttribute {
			f.addAttribute(i)
		} else {
			f.addObject(i)
			f.addNext(i)
		}
	}
	for i := range x.Edges {
		f.addRelation(i)
	}
	lost := f.addUnused()
	return append(f.list, linear.Join(550, min(6, f.objects)<<4|min(3, f.alone)), linear.Join(551, min(3, f.loose)), linear.Join(552, min(8, f.objects)<<8|min(9, uint32(len(x.Edges)))), linear.Join(553, min(6, lost)))
}

// tagsAround returns a hash of the tags of a node and its neighbours, and the tokens before and after it.
func (f *wholeFeatures) tagsAround(n *Node) (tags uint32, prev, follow *tokens.Token) {
	for k := n.From; k < n.To; k++ {
		tags = tags<<6 | uint32(f.ts[k].Tag)
	}
	return tags, tokens.AtOrBorder(f.ts, n.From-1), tokens.AtOrBorder(f.ts, n.To)
}

// addAttribute adds the features of node i, an attribute.
func (f *wholeFeatures) addAttribute(i int) {
	n := &f.x.Nodes[i]
	tags, prev, follow := f.tagsAround(n)
	owners := uint32(0)
	for _, l := range f.x.Links {
		if l.Attribute == int32(i) {
			owners = min(2, owners+1)
			f.list = append(f.list, linear.Join(501, linear.Join(n.Name, f.x.Nodes[l.Object].head)))
		}
	}
	if owners == 0 {
		f.loose++
	}
	f.list = append(f.list, linear.Join(502, owners), linear.Join(503, linear.Join(n.Name, owners)), linear.Join(504, linear.Join(tags, owners)), linear.Join(505, linear.Join(linear.Join(tags, uint32(prev.Tag)<<8|uint32(follow.Tag)), owners)))
}

// addObject adds the features of node i, an object.
func (f *wholeFeatures) addObject(i int) {
	n := &f.x.Nodes[i]
	tags, prev, follow := f.tagsAround(n)
	f.objects++
	var out, in, attributes uint32
	for e := range f.x.Edges {
		subject, object := f.x.Edges[e].subjectAndObject()
		if subject == int32(i) {
			out = min(2, out+1)
		}
		if object == int32(i) {
			in = min(2, in+1)
		}
	}
	for _, l := range f.x.Links {
		if l.Object == int32(i) {
			attributes = min(3, attributes+1)
		}
	}
	if in+out == 0 {
		f.alone++
	}
	d := out<<2 | in
	f.list = append(f.list,
		linear.Join(510, n.Name), linear.Join(511, linear.Join(n.Name, d)), linear.Join(512, linear.Join(tags, d)), linear.Join(513, linear.Join(tags, uint32(prev.Tag)<<8|uint32(follow.Tag))),
		linear.Join(514, linear.Join(d, n.Class)), linear.Join(515, linear.Join(n.head, d)), linear.Join(516, d<<2|attributes), linear.Join(517, linear.Join(n.head, uint32(n.To-n.From))),
		linear.Join(518, linear.Join(d, linear.Join(prev.Lemma, follow.Lemma))), linear.Join(519, linear.Join(d, uint32(prev.Tag)<<8|uint32(follow.Tag))),
	)
}

// addNext adds the features of node i together with the next node.
func (f *wholeFeatures) addNext(i int) {
	if i+1 == len(f.x.Nodes) {
		return
	}
	n, m := &f.x.Nodes[i], &f.x.Nodes[i+1]
	var linked uint32
	for _, e := range f.x.Edges {
		if e.A == int32(i) && e.B == int32(i+1) {
			linked = 1 + uint32(e.Candidate.Position)
		}
	}
	kind := min(2, uint32(m.From-n.To))<<4 | linked<<1
	if m.IsAttribute {
		kind |= 1
	}
	f.list = append(f.list, linear.Join(520, kind), linear.Join(521, linear.Join(kind, linear.Join(n.head, m.head))), linear.Join(522, linear.Join(kind, n.Class<<8|m.Class)))
}

// addRelation adds the features of relation i, and marks its words as used.
func (f *wholeFeatures) addRelation(i int) {
	e := &f.x.Edges[i]
	subject, object := e.subjectAndObject()
	s, o := &f.x.Nodes[subject], &f.x.Nodes[object]
	h := linear.Join(e.Candidate.Hash, uint32(e.Candidate.Implied))
	for _, w := range e.Candidate.Words[:e.Candidate.N] {
		f.used[w] = true
	}
	var twins uint32
	for j := range f.x.Edges {
		if j != i && e.Candidate.Implied == 0 && f.x.Edges[j].Candidate.Words == e.Candidate.Words {
			if _, other := f.x.Edges[j].subjectAndObject(); other == object {
				twins |= 1
			} else {
				twins |= 2
			}
		}
	}
	f.list = append(f.list,
		linear.Join(530, h), linear.Join(531, linear.Join(h, s.head)), linear.Join(532, linear.Join(h, o.head)), linear.Join(533, linear.Join(h, s.Class<<8|o.Class)),
		linear.Join(534, uint32(e.Candidate.Position)<<4|twins), linear.Join(535, linear.Join(h, twins)), linear.Join(536, linear.Join(s.head, o.head)), linear.Join(537, linear.Join(twins, uint32(min(3, e.B-e.A)))),
	)
}

// addUnused adds the features of tokens that are in no node and no relation, and returns how many of them are not
// silent.
func (f *wholeFeatures) addUnused() (lost uint32) {
	for i := range f.ts {
		t := &f.ts[i]
		if f.used[i] || t.Kind == tokens.Mark {
			continue
		}
		l, r := uint32(0), uint32(0)
		if i > 0 && f.used[i-1] {
			l = 1
		}
		if i+1 < len(f.ts) && f.used[i+1] {
			r = 1
		}
		if !IsSilent(t) {
			lost++
		}
		f.list = append(f.list, linear.Join(540, linear.Join(t.Hash, l<<1|r)), linear.Join(541, uint32(t.Tag)<<2|l<<1|r))
	}
	return lost
}
