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
	data string
	mask uint32
	unit float32
}

// readWeights reads a table of rows of width in the form that appendWeights writes.
func readWeights(s string, width int) (weights, error) {
	if len(s) < 8 {
		return weights{}, fmt.Errorf("weights: cut off after %d bytes", len(s))
	}
	data, has := s[8:], int(binary.LittleEndian.Uint32([]byte(s[:4])))
	rows := len(data) / width
	if has != width || len(data)%width != 0 || bits.OnesCount32(uint32(rows)) != 1 {
		return weights{}, fmt.Errorf("weights: %d bytes in rows of %d, want rows of %d", len(data), has, width)
	}
	return weights{data, uint32(rows - 1), math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4:8])))}, nil
}

// sum is the score of a list of features in a table of one column, rounded
// before it is added to others (see package portable).
func (w *weights) sum(f []uint32) float32 {
	var s int32
	for _, h := range f {
		s += int32(int8(w.data[h&w.mask]))
	}
	return float32(float32(s) * w.unit)
}

// rowStart is where the row of feature h begins in a table of n weights. Rows
// overlap: most weights of a row are 0, so that two features that share a few
// disturb each other less than if they shared all.
func rowStart(h uint32, n, width int) uint64 { return uint64(h) * uint64(n-width+1) >> 32 }

// addLabels adds the weights of features f, less than 256, to sum: two weights
// at a time, each counted from 0 in 16 bits, and the fifth alone.
func (w *weights) addLabels(f []uint32, sum *[labelCount]int32) {
	var _ [5]struct{} = [labelCount]struct{}{} // as many as there are
	const zero, low = 128, 0x00ff00ff
	var even, odd uint32
	last := sum[4]
	for _, h := range f {
		i := rowStart(h, len(w.data), labelCount)
		row := w.data[i : i+labelCount]
		four := binary.LittleEndian.Uint32([]byte(row[:4])) ^ 0x80808080
		even += four & low
		odd += four >> 8 & low
		last += int32(int8(row[4]))
	}
	n := int32(len(f)) * zero
	sum[0] += int32(even&0xffff) - n
	sum[1] += int32(odd&0xffff) - n
	sum[2] += int32(even>>16) - n
	sum[3] += int32(odd>>16) - n
	sum[4] = last
}

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
