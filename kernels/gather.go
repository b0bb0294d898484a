package kernels

type gatherOps interface {
	// Gather sets y[i] to x[rows[i]]: x [n, w], y [len(rows), w].
	Gather(y, x Tensor, rows Ints)
	// GatherBackward adds each row of dy to the row of dx that Gather copied. by groups the rows of
	// y by their row of x, as GroupBy does.
	GatherBackward(dx Grad, dy Tensor, by Groups)
}

// Groups are positions in the order of their values: group g has the value Values[g] and the
// positions Order[Bounds[g]:Bounds[g+1]], ascending. With them a sum over equal values has one
// order on every device.
type Groups struct{ Values, Bounds, Order Ints }

// Gather returns the given rows of x [n, w], such as the class token of each image. A row may occur
// several times. by may be empty if x needs no gradient.
func (t *Tape) Gather(x *Var, rows Ints, by Groups) *Var {
	checkShape(rows.allInRange(x.Value.Rows), "a row is gathered that there is none of")
	y := t.newResult(rows.Len(), x.Value.Cols, x)
	checkShape(!y.needsGrad || by.Order.Len() == rows.Len(), "what is gathered is not grouped for its gradient")
	t.Device.Gather(y.Value, x.Value, rows)
	return t.addRecord(record{backward: gatherBackward, in: [4]*Var{x}, out: y, ints: [5]Ints{by.Values, by.Bounds, by.Order}})
}

func gatherBackward(t *Tape, r *record) {
	t.Device.GatherBackward(t.gradOf(r.in[0]), r.out.Grad, Groups{r.ints[0], r.ints[1], r.ints[2]})
}

// Grouper groups positions by value. It keeps its memory: a result is valid until the next call.
// The zero value is ready.
type Grouper struct{ values, bounds, order, count []int32 }

// GroupBy groups the positions of equal values, which are from 0 to n-1. It returns the fields of
// Groups.
func (g *Grouper) GroupBy(values []int32, n int) (distinct, bounds, order []int32) {
	g.count = append(g.count[:0], make([]int32, n+1)...)
	for _, v := range values {
		g.count[v+1]++
	}
	g.values, g.bounds = g.values[:0], append(g.bounds[:0], 0)
	for v := range n {
		if g.count[v+1] > 0 {
			g.values = append(g.values, int32(v))
			g.bounds = append(g.bounds, g.count[v]+g.count[v+1])
		}
		g.count[v+1] += g.count[v]
	}
	g.order = append(g.order[:0], values...)
	for i, v := range values {
		g.order[g.count[v]] = int32(i)
		g.count[v]++
	}
	return g.values, g.bounds, g.order
}

// Gather implements Device.
func (*Reference) Gather(y, x Tensor, rows Ints) {
	for i, row := range rows.Host {
		copy(y.row(i), x.row(int(row)))
	}
}

// GatherBackward implements Device.
func (*Reference) GatherBackward(dx Grad, dy Tensor, by Groups) {
	if !dx.Add {
		clear(dx.F64)
	}
	sumGroups(dx.Tensor, dy, by)
}

// sumGroups adds to row Values[g] of y the rows of x in group g.
func sumGroups(y, x Tensor, by Groups) {
	for g, value := range by.Values.Host {
		to := y.row(int(value))
		for _, i := range by.Order.Host[by.Bounds.Host[g]:by.Bounds.Host[g+1]] {
			for k, v := range x.row(int(i)) {
				to[k] += v
			}
		}
	}
}
