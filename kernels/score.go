package kernels

import "math"

type scoreOps interface {
	// Score computes s_g = exp(logScale)·(α·Σ nodes + β·Σ relations) / (α·M + β·P) for each graph
	// g, which has M elements of nodes [1, n] from nodeStarts[g] on and P of relations [1, r] from
	// relationStarts[g] on. α and β are ln(1 + e^w) of the two weights w. s [1, graphs] is 0 for an
	// empty graph.
	Score(s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints)
	// ScoreBackward computes gradients from ds [1, graphs]. Each may be none.
	ScoreBackward(dnodes, drelations, dweights, dlogScale Grad, ds, s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints)
}

// Score returns the structured similarity of an image with graphs (OC-CLIP eq. 2), times
// exp(logScale): [1, graphs]. nodes [1, n] and relations [1, r] are the similarities of the image
// with each node and each relation of the graphs. weights [1, 2], of nodes and of relations, go
// through a softplus, which keeps them above 0.
func (t *Tape) Score(nodes, relations, weights, logScale *Var, nodeStarts, relationStarts Ints) *Var {
	checkShape(nodes.Value.Rows == 1 && nodeStarts.covers(nodes.Value.Len()), "the nodes of graphs are not all nodes")
	checkShape(relations.Value.Rows == 1 && relationStarts.covers(relations.Value.Len()), "the relations of graphs are not all relations")
	checkShape(nodeStarts.Len() == relationStarts.Len(), "there are nodes of other graphs than relations")
	checkShape(weights.Value.Len() == 2 && logScale.Value.Len() == 1, "a score has two weights and one scale")
	s := t.newResult(1, nodeStarts.Len()-1, nodes, relations, weights, logScale)
	t.Device.Score(s.Value, nodes.Value, relations.Value, weights.Value, logScale.Value, nodeStarts, relationStarts)
	return t.addRecord(record{backward: scoreBackward, in: [4]*Var{nodes, relations, weights, logScale}, out: s, ints: [5]Ints{nodeStarts, relationStarts}})
}

func scoreBackward(t *Tape, r *record) {
	in := r.in
	t.Device.ScoreBackward(t.gradOf(in[0]), t.gradOf(in[1]), t.gradOf(in[2]), t.gradOf(in[3]), r.out.Grad, r.out.Value,
		in[0].Value, in[1].Value, in[2].Value, in[3].Value, r.ints[0], r.ints[1])
}

// Softplus returns ln(1 + e^x), which is above 0, and its derivative.
func Softplus(x float64) (y, slope float64) {
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))), 1 / (1 + math.Exp(-x))
}

// graphScore has the sums that Score needs of one graph.
type graphScore struct {
	nodes, relations []float64
	n, r             float64 // their sums
	weight           float64 // α·M + β·P
}

// graphScoreOf returns the sums of graph g; weight is 0 if it is empty.
func graphScoreOf(nodes, relations Tensor, nodeStarts, relationStarts Ints, g int, a, b float64) graphScore {
	x := graphScore{nodes: nodes.F64[nodeStarts.Host[g]:nodeStarts.Host[g+1]], relations: relations.F64[relationStarts.Host[g]:relationStarts.Host[g+1]]}
	for _, v := range x.nodes {
		x.n += v
	}
	for _, v := range x.relations {
		x.r += v
	}
	x.weight = a*float64(len(x.nodes)) + b*float64(len(x.relations))
	return x
}

// Score implements Device.
func (*Reference) Score(s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints) {
	a, _ := Softplus(weights.F64[0])
	b, _ := Softplus(weights.F64[1])
	for g := range s.F64[:s.Len()] {
		s.F64[g] = 0
		if x := graphScoreOf(nodes, relations, nodeStarts, relationStarts, g, a, b); x.weight > 0 {
			s.F64[g] = math.Exp(logScale.F64[0]) * (a*x.n + b*x.r) / x.weight
		}
	}
}

// ScoreBackward implements Device.
func (*Reference) ScoreBackward(dnodes, drelations, dweights, dlogScale Grad, ds, s, nodes, relations, weights, logScale Tensor, nodeStarts, relationStarts Ints) {
	a, slopeA := Softplus(weights.F64[0])
	b, slopeB := Softplus(weights.F64[1])
	var da, db, along float64
	for g := range s.F64[:s.Len()] {
		x := graphScoreOf(nodes, relations, nodeStarts, relationStarts, g, a, b)
		if x.weight == 0 {
			continue
		}
		slope := math.Exp(logScale.F64[0]) * ds.F64[g] / x.weight
		mean := (a*x.n + b*x.r) / x.weight
		for i := range x.nodes {
			if !dnodes.IsNone() {
				dnodes.store(int(nodeStarts.Host[g])+i, slope*a)
			}
		}
		for i := range x.relations {
			if !drelations.IsNone() {
				drelations.store(int(relationStarts.Host[g])+i, slope*b)
			}
		}
		da += slope * (x.n - mean*float64(len(x.nodes)))
		db += slope * (x.r - mean*float64(len(x.relations)))
		along += ds.F64[g] * s.F64[g]
	}
	if !dweights.IsNone() {
		dweights.store(0, da*slopeA)
		dweights.store(1, db*slopeB)
	}
	if !dlogScale.IsNone() {
		dlogScale.store(0, along)
	}
}
