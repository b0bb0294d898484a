package model

import (
	"math"

	"capgraph/kernels"
)

// binding has the parameters of OC-CLIP's module between the towers.
type binding struct {
	first, second    layer // the MLP of each patch
	positions        *kernels.Var
	blocks           encoder
	keys, values     patchProjection
	nodes, relations *kernels.Var
	defaults         *kernels.Var
	before           norm
	queries          *kernels.Var
	subject, object  roleMLP
	weights, scale   *kernels.Var
	width, count     int
}

// patchProjection has the parameters that project patches to keys or to values.
type patchProjection struct {
	layer
	norm norm
	proj *kernels.Var
}

// roleMLP is the MLP f_s (of subjects) or f_o (of objects) of eq. 3. Its first layer reads a
// predicate and a slot.
type roleMLP struct{ relation, slot, bias, weight2, bias2 *kernels.Var }

// Patches are the images' inputs of structured scores, with a row for each patch: keys and values
// [n·patches, Width], and the products of values with the slot weights of f_s and f_o [n·patches,
// Relation]. The products are computed once per image, since W(A·V) = A·(W·V).
type Patches struct{ Keys, Values, Subjects, Objects *kernels.Var }

// List returns all fields in order; PatchesOf is its inverse.
func (p Patches) List() []*kernels.Var {
	return []*kernels.Var{p.Keys, p.Values, p.Subjects, p.Objects}
}

// PatchesOf is the inverse of List.
func PatchesOf(v []*kernels.Var) Patches { return Patches{v[0], v[1], v[2], v[3]} }

// findBinding returns the binding with the parameters in named, or nil if c has none.
func findBinding(named map[string]*kernels.Var, c Config) *binding {
	if c.Binding.IsNone() {
		return nil
	}
	get := func(name string) *kernels.Var { return named["binding."+name] }
	layerOf := func(name string) layer { return layer{get(name + ".weight"), get(name + ".bias")} }
	normOf := func(name string) norm { return norm{get(name + ".weight"), get(name + ".bias"), normEps} }
	sidedOf := func(name string) patchProjection {
		return patchProjection{layerOf(name), normOf(name + "_ln"), get(name + "_proj")}
	}
	roleOf := func(name string) roleMLP {
		return roleMLP{get(name + ".0.weight_relation"), get(name + ".0.weight_slot"), get(name + ".0.bias"), get(name + ".2.weight"), get(name + ".2.bias")}
	}
	return &binding{
		first: layerOf("patches.0"), second: layerOf("patches.2"), positions: get("patch_positions"),
		blocks: encoder{blocks: findBlocks(named, "binding.", c.Binding.Layers, block{heads: c.Binding.Heads, activation: kernels.GELU}, normEps)},
		keys:   sidedOf("keys"), values: sidedOf("values"), nodes: get("nodes_proj"), relations: get("relations_proj"),
		defaults: get("default_tokens"), before: normOf("queries_ln"), queries: get("queries_proj"),
		subject: roleOf("subject"), object: roleOf("object"), weights: get("weights"), scale: get("logit_scale"),
		width: c.Binding.Width, count: c.Binding.Defaults,
	}
}

// HasBinding reports whether the model has a binding.
func (m *Model) HasBinding() bool { return m.binding != nil }

// BindingScale returns the logit scale of structured scores, [1, 1]; nil if the model has no
// binding.
func (m *Model) BindingScale() *kernels.Var {
	if m.binding == nil {
		return nil
	}
	return m.binding.scale
}

// BindPatches returns the inputs of structured scores for images, given their tokens from
// ImageTokens (OC-CLIP fig. 9, encode_patches; the keys and values of eq. 1).
func (m *Model) BindPatches(t *kernels.Tape, tokens *kernels.Var, images Images) Patches {
	b, p := m.binding, &images.patches
	x := m.image.(patchTower).patchTokens(t, tokens, images)
	x = t.Linear(x, b.first.weight, b.first.bias, nil, kernels.GELU)
	x = t.Linear(x, b.second.weight, b.second.bias, t.Gather(b.positions, p.places, p.byPlace), kernels.NoActivation)
	x = b.blocks.runBlocks(t, x, p.starts)
	values := b.values.project(t, x)
	return Patches{
		Keys: b.keys.project(t, x), Values: values,
		Subjects: t.Linear(values, b.subject.slot, nil, nil, kernels.NoActivation),
		Objects:  t.Linear(values, b.object.slot, nil, nil, kernels.NoActivation),
	}
}

func (s patchProjection) project(t *kernels.Tape, x *kernels.Var) *kernels.Var {
	x = s.norm.apply(t, t.Linear(x, s.weight, s.bias, nil, kernels.NoActivation))
	return t.Linear(x, s.proj, nil, nil, kernels.NoActivation)
}

// BindTexts returns the vectors of texts as nodes [n, Width] and as predicates [n, Relation], given
// their features from EncodeTexts, not normalised.
func (m *Model) BindTexts(t *kernels.Tape, texts *kernels.Var) (nodes, predicates *kernels.Var) {
	return t.Linear(texts, m.binding.nodes, nil, nil, kernels.NoActivation), t.Linear(texts, m.binding.relations, nil, nil, kernels.NoActivation)
}

// Words are the graphs' inputs of structured scores, for their distinct nodes and predicates: the
// queries of nodes, then the default queries; nodes of length 1; the products of predicates with
// the relation weights of f_s and f_o; predicates of length 1.
type Words struct{ Queries, Nodes, Subjects, Objects, Predicates *kernels.Var }

// List returns all fields in order; WordsOf is its inverse.
func (w Words) List() []*kernels.Var {
	return []*kernels.Var{w.Queries, w.Nodes, w.Subjects, w.Objects, w.Predicates}
}

// WordsOf is the inverse of List.
func WordsOf(v []*kernels.Var) Words { return Words{v[0], v[1], v[2], v[3], v[4]} }

// BindWords returns the Words of distinct nodes and predicates, which are the given rows of the
// results of BindTexts.
func (m *Model) BindWords(t *kernels.Tape, nodes, predicates *kernels.Var, nodeRows, predicateRows []int32, l *Layout) Words {
	b := m.binding
	nodes, predicates = gatherRows(t, nodes, nodeRows, &l.byNodeRow), gatherRows(t, predicates, predicateRows, &l.byPredicateRow)
	queries := nodes
	if b.count > 0 {
		queries = t.Stack(nodes, b.defaults)
	}
	return Words{
		Queries:    t.Linear(b.before.applyHalf(t, queries), b.queries, nil, nil, kernels.NoActivation),
		Nodes:      t.Normalize(nodes),
		Subjects:   t.Linear(predicates, b.subject.relation, b.subject.bias, nil, kernels.NoActivation),
		Objects:    t.Linear(predicates, b.object.relation, b.object.bias, nil, kernels.NoActivation),
		Predicates: t.Normalize(predicates),
	}
}

// Scores returns the structured scores [1, graphs] of one image with the graphs of l, multiplied by
// the exponential of BindingScale (OC-CLIP eqs. 1 to 3). The queries of each graph and the default
// queries compete separately from those of other graphs.
func (m *Model) Scores(t *kernels.Tape, image Patches, w Words, l *Layout) *kernels.Var {
	b, ints := m.binding, t.Device.Ints
	shares := t.Similarity(w.Queries, image.Keys, scalar(t, -math.Log(float64(b.width))/2))
	shares = t.Slots(gatherRows(t, shares, l.queries, &l.byQuery), ints(l.starts))
	shares = gatherRows(t, shares, l.nodes, &l.byNode)
	one := scalar(t, 0)
	slots := t.Product(shares, image.Values, nil, kernels.NoActivation)
	nodes := t.RowDot(gatherRows(t, w.Nodes, l.words, &l.byWord), t.Normalize(slots), one)

	roles := func(r *roleMLP, rows []int32, byRow *kernels.Grouper, values, predicates *kernels.Var, by *kernels.Grouper, other *kernels.Var) *kernels.Var {
		hidden := t.Product(gatherRows(t, shares, rows, byRow), values, gatherRows(t, predicates, l.predicates, by), kernels.GELU)
		return t.Linear(hidden, r.weight2, r.bias2, other, kernels.NoActivation)
	}
	both := roles(&b.subject, l.subjects, &l.bySubject, image.Subjects, w.Subjects, &l.byPredicate[0], nil)
	both = roles(&b.object, l.objects, &l.byObject, image.Objects, w.Objects, &l.byPredicate[1], both)
	relations := t.RowDot(gatherRows(t, w.Predicates, l.predicates, &l.byPredicate[2]), t.Normalize(both), one)
	return t.Score(nodes, relations, b.weights, b.scale, ints(l.nodeStarts), ints(l.relationStarts))
}

// scalar returns a constant [1, 1].
func scalar(t *kernels.Tape, x float64) *kernels.Var {
	v := t.Arena.Tensor(1, 1)
	t.Device.Fill(v, x)
	return t.Constant(v)
}

// gatherRows returns the given rows of x. It groups them with g if x needs a gradient.
func gatherRows(t *kernels.Tape, x *kernels.Var, rows []int32, g *kernels.Grouper) *kernels.Var {
	var by kernels.Groups
	if x.NeedsGrad() && !t.ForwardOnly {
		by = groupRows(t.Device, g, rows, x.Value.Rows)
	}
	return t.Gather(x, t.Device.Ints(rows), by)
}
