package ruleparse

// meals are food that WordNet has as other things, and toppings what is on food or around it.
const (
	meals    = " cake cakes dish hotdog hotdogs meal omelette pastry slice toast "
	toppings = " bun buns condiments decorations dressing fixings frosting icing sauce topping toppings "
)

// supports are what food is on, beside containers.
const supports = " board buffet counter counters countertop foil grill napkin oven paddle paddles pan paper rack racks sheet stove surface table tablecloth tables "

// topped is the food that e says is somewhere where it says so of object a, which is on it: "a *pizza*
// with pepperoni on a tray"; or a.
func (x *analysis) topped(ts []span, a int32, e *relation) int32 {
	c, last := &e.candidate, ts[x.nodes[e.b].to-1].low
	if !oneOf(supports, last) && !oneOf(containers, last) || !c.forward() || !oneOf(" in of on ", ts[c.words[c.n-1]].low) {
		return a
	}
	if !edible(ts, &x.nodes[a], toppings) || x.determined(ts, a) || ts[x.begins(int(a))].tag == tagCD {
		return a // "with a bun", "with two sandwiches"
	}
	for _, f := range x.edgesOf(int(a)) {
		d := &f.candidate
		if !d.forward() || !edible(ts, &x.nodes[f.a], meals) || oneOf(toppings, ts[x.nodes[f.a].to-1].low) || !oneOf(" with covered topped ", ts[d.words[0]].low) {
			continue
		}
		if m := x.container(ts, int(f.a)); m >= 0 {
			return int32(m)
		}
		return f.a
	}
	return a
}

// edible reports whether n is food or one of others.
func edible(ts []span, n *node, others string) bool {
	return n.class == classFood || n.class == classPlant || oneOf(others, ts[n.to-1].low)
}
