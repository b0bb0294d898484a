package cutest

import (
	"math"
	"unsafe"

	"capgraph/kernels"
)

// elementsAMove is how many elements a block of adamw.cu has.
const elementsAMove = 4096

// table is what adamw.cu is told of parameters; copies are in bf16, or none.
type table struct {
	moves  []kernels.AdamWUpdate
	copies [][]uint16
}

func (d *device) AdamW(moves []kernels.AdamWUpdate, factor kernels.Tensor) {
	d.move(moves, make([][]uint16, len(moves)), factor)
}

func (d *device) move(moves []kernels.AdamWUpdate, copies [][]uint16, factor kernels.Tensor) {
	var numbers []float32
	starts := []int32{0}
	for i, m := range moves {
		starts = append(starts, starts[i]+int32((m.P.Len()+elementsAMove-1)/elementsAMove))
		first, second := m.BiasCorrections()
		for _, n := range []float64{m.LearningRate / first, m.LearningRate * m.WeightDecay, m.Beta1, 1 - m.Beta1, m.Beta2, 1 - m.Beta2, 1 / math.Sqrt(second), m.Epsilon} {
			numbers = append(numbers, float32(n))
		}
	}
	d.run("adamw", table{moves, copies}, starts, numbers, factor, len(moves), int(starts[len(moves)]))
}

// table adds a table, and all memory that it points to.
func (c *call) table(of table) {
	var words []uint64
	for i, m := range of.moves {
		point(c, m.P.F32)
		point(c, of.copies[i])
		for _, v := range []kernels.Tensor{m.G, m.M, m.V} {
			point(c, v.F32)
		}
		at := len(c.values) - 5
		for _, v := range c.values[at:] {
			words = append(words, v.(uint64))
		}
		c.values = c.values[:at]
		words = append(words, uint64(m.P.Len()))
	}
	c.values = append(c.values, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(words)))))
	c.regions = append(c.regions, Region{Address: c.values[len(c.values)-1].(uint64), Bytes: uint64(8 * len(words))})
	c.keep = append(c.keep, words)
}
