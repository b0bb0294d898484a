package cpu

import (
	"math"

	"capgraph/kernels"
)

// scoredGraphs has the graphs of Score. They have so few numbers that one worker adds them.
type scoredGraphs struct {
	nodes, relations           kernels.Tensor
	nodeStarts, relationStarts []int32
	a, b                       float64 // α and β
}

// graphSums returns the bounds n of the nodes and r of the relations of graph g, their sums, and
// the divisor of = α·M + β·P.
func (s *scoredGraphs) graphSums(g int) (n, r [2]int32, sumN, sumR, of float64) {
	n, r = [2]int32{s.nodeStarts[g], s.nodeStarts[g+1]}, [2]int32{s.relationStarts[g], s.relationStarts[g+1]}
	for _, v := range s.nodes.F32[n[0]:n[1]] {
		sumN += float64(v)
	}
	for _, v := range s.relations.F32[r[0]:r[1]] {
		sumR += float64(v)
	}
	return n, r, sumN, sumR, s.a*float64(n[1]-n[0]) + s.b*float64(r[1]-r[0])
}

// Score implements kernels.Device.
func (d *Device) Score(s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	all := scoredGraphs{nodes: nodes, relations: relations, nodeStarts: nodeStarts.Host, relationStarts: relationStarts.Host}
	all.a, _ = kernels.Softplus(float64(weights.F32[0]))
	all.b, _ = kernels.Softplus(float64(weights.F32[1]))
	scale := math.Exp(float64(logScale.F32[0]))
	for g := range s.F32[:s.Len()] {
		s.F32[g] = 0
		if _, _, n, r, of := all.graphSums(g); of > 0 {
			s.F32[g] = float32(scale * (all.a*n + all.b*r) / of)
		}
	}
}

// ScoreBackward implements kernels.Device.
func (d *Device) ScoreBackward(dnodes, drelations, dweights, dlogScale kernels.Grad, ds, s, nodes, relations, weights, logScale kernels.Tensor, nodeStarts, relationStarts kernels.Ints) {
	all := scoredGraphs{nodes: nodes, relations: relations, nodeStarts: nodeStarts.Host, relationStarts: relationStarts.Host}
	var slopeA, slopeB float64
	all.a, slopeA = kernels.Softplus(float64(weights.F32[0]))
	all.b, slopeB = kernels.Softplus(float64(weights.F32[1]))
	scale := math.Exp(float64(logScale.F32[0]))
	var da, db, along float64
	for g := range s.F32[:s.Len()] {
		n, r, sumN, sumR, of := all.graphSums(g)
		if of == 0 {
			continue
		}
		slope := scale * float64(ds.F32[g]) / of
		mean := (all.a*sumN + all.b*sumR) / of
		spreadGradient(dnodes, n, float32(slope*all.a))
		spreadGradient(drelations, r, float32(slope*all.b))
		da += slope * (sumN - mean*float64(n[1]-n[0]))
		db += slope * (sumR - mean*float64(r[1]-r[0]))
		along += float64(ds.F32[g]) * float64(s.F32[g])
	}
	if !dweights.IsNone() {
		for i, v := range []float64{da * slopeA, db * slopeB} {
			storeScalar(kernels.Grad{Tensor: kernels.Tensor{Rows: 1, Cols: 1, Memory: d.Slice(dweights.Memory, i, 1)}, Add: dweights.Add}, v)
		}
	}
	if !dlogScale.IsNone() {
		storeScalar(dlogScale, along)
	}
}

// spreadGradient writes v to the elements at[0] to at[1]-1 of a gradient, or adds it.
func spreadGradient(g kernels.Grad, at [2]int32, v float32) {
	if g.IsNone() {
		return
	}
	to := g.F32[at[0]:at[1]]
	for i := range to {
		if g.Add {
			to[i] += v
		} else {
			to[i] = v
		}
	}
}
