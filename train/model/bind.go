package model

import (
	"math"

	"capgraph/kernels"
)

// binding is the parameters of the module between the towers.
type binding struct {
	first, second    layer // the MLP of each patch
	positions        *kernels.Var
	blocks           encoder
	keys, values     sided
	nodes, relations *kernels.Var
	defaults         *kernels.Var
	before           norm
	queries          *kernels.Var
	subject, object  role
	weights, scale   *kernels.Var
	width, count     int
}

// sided is what makes keys of patches, or values.
type sided struct {
	layer
	norm norm
	proj *kernels.Var
}

// role is f_s or f_o of eq. 3, whose first layer reads a predicate and a slot.
type role struct{ relation, slot, bias, weight2, bias2 *kernels.Var }

// Patches are what an image is to structured scores, a row a patch: keys and values
// [n·patches, Width], and what the values are to f_s and f_o, [n·patches, Relation],
// made once an image (W(A·V) = A·(W·V)).
type Patches struct{ Keys, Values, Subjects, Objects *kernels.Var }

// List is all of them, and PatchesOf makes them of such a list.
func (p Patches) List() []*kernels.Var {
	return []*kernels.Var{p.Keys, p.Values, p.Subjects, p.Objects}
}

// PatchesOf is the inverse of List.
func PatchesOf(v []*kernels.Var) Patches { return Patches{v[0], v[1], v[2], v[3]} }

// bindingOf finds the parameters by their names.
func bindingOf(named map[string]*kernels.Var, c Config) *binding {
	if c.Binding.None() {
		return nil
	}
	get := func(name string) *kernels.Var { return named["binding."+name] }
	layerOf := func(name string) layer { return layer{get(name + ".weight"), get(name + ".bias")} }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), normEps} }
	sidedOf := func(name string) sided { return sided{layerOf(name), normOf(name + "_ln"), get(name + "_proj")} }
	roleOf := func(name string) role {
		return role{get(name + ".0.weight_relation"), get(name + ".0.weight_slot"), get(name + ".0.bias"), get(name + ".2.weight"), get(name + ".2.bias")}
	}
	return &binding{
		first: layerOf("patches.0"), second: layerOf("patches.2"), positions: get("patch_positions"),
		blocks: encoder{blocks: blocksOf(named, "binding.", c.Binding.Layers, c.Binding.Heads, false, kernels.GELU)},
		keys:   sidedOf("keys"), values: sidedOf("values"), nodes: get("nodes_proj"), relations: get("relations_proj"),
		defaults: get("default_tokens"), before: normOf("queries_ln"), queries: get("queries_proj"),
		subject: roleOf("subject"), object: roleOf("object"), weights: get("weights"), scale: get("logit_scale"),
		width: c.Binding.Width, count: c.Binding.Defaults,
	}
}

// Bound says whether the model has a binding.
func (m *Model) Bound() bool { return m.binding != nil }

// BindingScale is the logarithm of τ of structured scores, [1, 1]; nil of a model that
// has no binding.
func (m *Model) BindingScale() *kernels.Var {
	if m.binding == nil {
		return nil
	}
	return m.binding.scale
}

// BindPatches makes of images' tokens (ImageTokens) what scores read of them (OC-CLIP
// fig. 9, encode_patches; eq. 1's keys and values).
func (m *Model) BindPatches(t *kernels.Tape, tokens *kernels.Var, images Images) Patches {
	b, p := m.binding, &images.patches
	x := m.image.(patchTower).patches(t, tokens, images)
	x = t.Linear(x, b.first.weight, b.first.bias, nil, kernels.GELU)
	x = t.Linear(x, b.second.weight, b.second.bias, t.Gather(b.positions, p.places, p.byPlace), kernels.NoActivation)
	x = b.blocks.transform(t, x, p.starts)
	values := b.values.of(t, x)
	return Patches{
		Keys: b.keys.of(t, x), Values: values,
		Subjects: t.Linear(values, b.subject.slot, nil, nil, kernels.NoActivation),
		Objects:  t.Linear(values, b.object.slot, nil, nil, kernels.NoActivation),
	}
}

func (s sided) of(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	x = s.norm.on(t, t.Linear(x, s.weight, s.bias, nil, kernels.NoActivation))
	return t.Linear(x, s.proj, nil, nil, kernels.NoActivation)
}

// BindTexts makes of texts' features (EncodeTexts), not of length 1, what each is as a
// node [n, Width] and as a predicate [n, Relation].
func (m *Model) BindTexts(t *kernels.Tape, texts *kernels.Var) (nodes, predicates *kernels.Var) {
	return t.Linear(texts, m.binding.nodes, nil, nil, kernels.NoActivation), t.Linear(texts, m.binding.relations, nil, nil, kernels.NoActivation)
}

// Words are the distinct nodes and predicates of graphs, ready to be compared: the
// queries of nodes and under them the default ones, nodes of length 1, what predicates
// are to f_s and f_o, and predicates of length 1.
type Words struct{ Queries, Nodes, Subjects, Objects, Predicates *kernels.Var }

// List is all of them, and WordsOf makes them of such a list.
func (w Words) List() []*kernels.Var {
	return []*kernels.Var{w.Queries, w.Nodes, w.Subjects, w.Objects, w.Predicates}
}

// WordsOf is the inverse of List.
func WordsOf(v []*kernels.Var) Words { return Words{v[0], v[1], v[2], v[3], v[4]} }

// BindWords prepares distinct nodes and predicates: rows of what BindTexts made of texts.
func (m *Model) BindWords(t *kernels.Tape, nodes, predicates *kernels.Var, nodeRows, predicateRows []int32, l *Layout) Words {
	b := m.binding
	nodes, predicates = gather(t, nodes, nodeRows, &l.byNodeRow), gather(t, predicates, predicateRows, &l.byPredicateRow)
	queries := nodes
	if b.count > 0 {
		queries = t.Stack(nodes, b.defaults)
	}
	return Words{
		Queries:    t.Linear(b.before.narrow(t, queries), b.queries, nil, nil, kernels.NoActivation),
		Nodes:      t.Normalize(nodes),
		Subjects:   t.Linear(predicates, b.subject.relation, b.subject.bias, nil, kernels.NoActivation),
		Objects:    t.Linear(predicates, b.object.relation, b.object.bias, nil, kernels.NoActivation),
		Predicates: t.Normalize(predicates),
	}
}

// Scores compares one image, its patches, with graphs: [1, graphs], times τ (OC-CLIP
// eqs. 1 to 3). Of nodes only those of l meet, each graph's with the default queries
// for themselves.
func (m *Model) Scores(t *kernels.Tape, image Patches, w Words, l *Layout) *kernels.Var {
	b, ints := m.binding, t.Device.Ints
	shares := t.Similarity(w.Queries, image.Keys, number(t, -math.Log(float64(b.width))/2))
	shares = t.Slots(gather(t, shares, l.queries, &l.byQuery), ints(l.starts))
	shares = gather(t, shares, l.nodes, &l.byNode)
	one := number(t, 0)
	slots := t.Product(shares, image.Values, nil, kernels.NoActivation)
	nodes := t.RowDot(gather(t, w.Nodes, l.words, &l.byWord), t.Normalize(slots), one)

	roles := func(r *role, rows []int32, byRow *kernels.Grouper, values, predicates *kernels.Var, by *kernels.Grouper, other *kernels.Var) *kernels.Var {
		hidden := t.Product(gather(t, shares, rows, byRow), values, gather(t, predicates, l.predicates, by), kernels.GELU)
		return t.Linear(hidden, r.weight2, r.bias2, other, kernels.NoActivation)
	}
	both := roles(&b.subject, l.subjects, &l.bySubject, image.Subjects, w.Subjects, &l.byPredicate[0], nil)
	both = roles(&b.object, l.objects, &l.byObject, image.Objects, w.Objects, &l.byPredicate[1], both)
	relations := t.RowDot(gather(t, w.Predicates, l.predicates, &l.byPredicate[2]), t.Normalize(both), one)
	return t.Score(nodes, relations, b.weights, b.scale, ints(l.nodeStarts), ints(l.relationStarts))
}

// number is a constant [1, 1].
func number(t *kernels.Tape, x float64) *kernels.Var {
	v := t.Arena.Tensor(1, 1)
	t.Device.Fill(v, x)
	return t.Constant(v)
}

// gather takes rows of x.
func gather(t *kernels.Tape, x *kernels.Var, rows []int32, g *kernels.Grouper) *kernels.Var {
	var by kernels.Groups
	if x.NeedsGrad() && !t.ForwardOnly {
		by = groupsOf(t.Device, g, rows, x.Value.Rows)
	}
	return t.Gather(x, t.Device.Ints(rows), by)
}
