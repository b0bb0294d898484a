package ruleparse

import (
	"slices"

	"capgraph/schemas"
)

// kin are words of animals of which two with one noun are two animals: "a mother and baby
// elephant".
const kin = " adult baby calf child cub dad daughter father female infant juvenile male mama mom momma mother newborn parent son "

// kindred makes an attribute of the first of two such words where the model has an object of it
// and an attribute of the second ("a baby and adult elephant"), and somebody of the first where
// what follows it is no animal but somebody too: "an adult and a child".
func (x *analysis) kindred(ts []span) {
	found := false
	for k := 0; k+1 < len(x.nodes); k++ {
		n, next := &x.nodes[k], &x.nodes[k+1]
		i := n.to
		if int(i) == len(ts) || ts[i].low != "and" || n.to-n.from > 1 || !oneOf(kin, ts[n.from].low) {
			continue
		}
		if i++; determines(&ts[i]) {
			i++
		}
		switch {
		case next.from != i:
		case n.attribute && next.person && !next.attribute && next.to == i+1 && ts[i].tag == tagNN && ts[n.from].person() && determines(&ts[i-1]):
			n.attribute = false
			x.unlink(n.from)
		case !n.attribute && next.attribute && oneOf(kin, ts[i].low) && k+2 < len(x.nodes) && x.nodes[k+2].from == i+1 && single(ts, &x.nodes[k+2]) && x.nodes[k+2].class == classAnimal:
			n.attribute = true
			for m := range x.nodes {
				x.moved = append(x.moved, int32(m))
			}
			x.moved[k] += 2
			x.move()
			x.links = append(x.links, link{int32(k), int32(k) + 2})
			found = true
		}
	}
	if found {
		x.order()
	}
}

// single reports whether object n is one by its form.
func single(ts []span, n *node) bool {
	t := &ts[n.to-1]
	return !n.attribute && (t.tag == tagNN || t.tag == tagNNP) && t.flags&nounSingular != 0
}

// twofold makes two objects of a noun that stands for two: "a brown and a gray elephant", "a mother
// and baby elephant".
func (x *analysis) twofold(ts []span, at []int32, g *schemas.SceneGraph) {
	for i := range x.nodes {
		if i < 2 || at[i] < 0 || !x.nodes[i-1].attribute || !single(ts, &x.nodes[i]) {
			continue
		}
		if o := &g.Objects[at[i]]; o.Quantity == "" && len(o.Attributes) > 1 {
			if end := x.firstOfTwo(ts, i); end >= 0 && slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return a.End == ts[end].end }) {
				double(at, at[i], ts[end].end, o.Begin, g)
			}
		}
	}
}

// firstOfTwo is the token where what is said of the first of two ends that object i stands for, or -1.
func (x *analysis) firstOfTwo(ts []span, i int) int32 {
	begin := x.begins(i)
	end := begin - 1
	article := end > 0 && oneOf(" a an one ", ts[end].low)
	if article {
		end--
	}
	if begin == x.nodes[i].from || end < 1 || ts[end].low != "and" {
		return -1
	}
	k := x.nodeAt(end - 1)
	if end--; k < 0 || !x.nodes[k].attribute {
		return -1
	}
	both := oneOf(kin, ts[end].low) && oneOf(kin, ts[begin].low) && ts[end].low != ts[begin].low && x.nodes[i].class == classAnimal
	for k > 0 && x.nodes[k-1].attribute && x.nodes[k-1].to == x.nodes[k].from {
		k--
	}
	from := x.nodes[k].from
	if both || article && from > 0 && oneOf(" a an one ", ts[from-1].low) && (!isNoun(ts[end].tag) || oneOf(colours, ts[end].low)) {
		return end
	}
	return -1
}

// double makes two objects of object o: what stands before it up to end is said of the first, and
// the rest of what does of the second. What is related with it is with both.
func double(at []int32, o, end, begin int32, g *schemas.SceneGraph) {
	first := g.Objects[o]
	first.Attributes = slices.Clone(first.Attributes)
	first.Attributes = slices.DeleteFunc(first.Attributes, func(a schemas.Attribute) bool { return a.End > end && a.Begin < begin })
	g.Objects = slices.Insert(g.Objects, int(o), first)
	second := &g.Objects[o+1]
	second.Attributes = slices.DeleteFunc(second.Attributes, func(a schemas.Attribute) bool { return a.End <= end })
	for i := range at {
		if at[i] >= o {
			at[i]++
		}
	}
	relations := make([]schemas.Relation, 0, 2*len(g.Relations))
	for _, r := range g.Relations {
		if r.Subject >= o {
			r.Subject++
		}
		if r.Object >= o {
			r.Object++
		}
		twin := r
		switch o + 1 {
		case r.Subject:
			twin.Subject--
		case r.Object:
			twin.Object--
		}
		if twin != r {
			relations = append(relations, twin)
		}
		relations = append(relations, r)
	}
	g.Relations = relations
}
