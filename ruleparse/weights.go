package ruleparse

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// weights is a linear model over hashed features: a table of rows of int8, one
// column an outcome, and what one unit is worth.
type weights struct {
	data  string
	width uint32
	mask  uint32
	unit  float32
}

// readWeights reads the form that appendWeights writes.
func readWeights(s string) (weights, error) {
	if len(s) < 8 {
		return weights{}, fmt.Errorf("weights: cut off after %d bytes", len(s))
	}
	w := weights{
		data:  s[8:],
		width: binary.LittleEndian.Uint32([]byte(s[:4])),
		unit:  math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4:8]))),
	}
	if w.width == 0 || uint32(len(w.data))%w.width != 0 || bits.OnesCount32(uint32(len(w.data))/w.width) != 1 {
		return weights{}, fmt.Errorf("weights: %d bytes in rows of %d", len(w.data), w.width)
	}
	w.mask = uint32(len(w.data))/w.width - 1
	return w, nil
}

// one is the weight of feature h in a table of one column.
func (w *weights) one(h uint32) int32 { return int32(int8(w.data[h&w.mask])) }

// row is the weights of feature h.
func (w *weights) row(h uint32) string {
	i := rowStart(h, len(w.data), int(w.width))
	return w.data[i : i+uint64(w.width)]
}

// rowStart is where the row of feature h begins in a table of n weights. Rows
// overlap: most weights of a row are 0, so that two features that share a few
// disturb each other less than if they shared all.
func rowStart(h uint32, n, width int) uint64 { return uint64(h) * uint64(n-width+1) >> 32 }

// appendWeights quantises a table of floats whose rows are width wide: the
// largest weights are clipped so that the others keep their differences.
func appendWeights(b []byte, table []float32, width int) []byte {
	limit := clipLimit(table)
	unit := limit / 127
	b = binary.LittleEndian.AppendUint32(b, uint32(width))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(unit))
	for _, x := range table {
		q := math.Round(float64(x / unit))
		b = append(b, byte(int8(max(-127, min(127, q)))))
	}
	return b
}

// clipLimit is the value that one in five thousand of the weights exceeds.
func clipLimit(table []float32) float32 {
	var largest float32
	n := 0
	for _, x := range table {
		largest = max(largest, max(x, -x))
		if x != 0 {
			n++
		}
	}
	if largest == 0 {
		return 1
	}
	const steps = 1000
	var counts [steps + 1]int
	for _, x := range table {
		if x != 0 {
			counts[int(max(x, -x)/largest*steps)]++
		}
	}
	over := 0
	for i := steps; i > 0; i-- {
		if over += counts[i]; over > n/5000 {
			return largest * float32(i+1) / steps
		}
	}
	return largest
}

// softmax turns scores into probabilities in place and returns the logarithm of
// the sum of their exponentials.
func softmax(x []float32) float32 {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp(v - top)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
	return top + float32(portable.Log(float64(sum)))
}

func exp(x float32) float32 { return float32(portable.Exp(float64(x))) }
