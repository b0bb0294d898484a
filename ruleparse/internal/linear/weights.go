// Package linear holds linear models over hashed features: tables of int8 weights, and the
// hashes by which features find their rows.
package linear

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// Weights is a linear model over hashed features: a table of rows of int8, one
// column an outcome, and what one unit is worth.
type Weights struct {
	Data string
	mask uint32
	Unit float32
}

// ReadWeights reads a table of rows of width: the width, a uint32, what a unit is worth, a
// float32, least byte first, and the rows of int8, whose number is a power of two.
func ReadWeights(s string, width int) (Weights, error) {
	if len(s) < 8 {
		return Weights{}, fmt.Errorf("weights: cut off after %d bytes", len(s))
	}
	data, has := s[8:], int(binary.LittleEndian.Uint32([]byte(s[:4])))
	rows := len(data) / width
	if has != width || len(data)%width != 0 || bits.OnesCount32(uint32(rows)) != 1 {
		return Weights{}, fmt.Errorf("weights: %d bytes in rows of %d, want rows of %d", len(data), has, width)
	}
	return Weights{data, uint32(rows - 1), math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4:8])))}, nil
}

// Sum is the score of a list of features in a table of one column, rounded
// before it is added to others (see package portable).
func (w *Weights) Sum(f []uint32) float32 {
	var s int32
	for _, h := range f {
		s += int32(int8(w.Data[h&w.mask]))
	}
	return float32(float32(s) * w.Unit)
}

// RowStart is where the row of feature h begins in a table of n weights. Rows
// overlap: most weights of a row are 0, so that two features that share a few
// disturb each other less than if they shared all.
func RowStart(h uint32, n, width int) uint64 { return uint64(h) * uint64(n-width+1) >> 32 }

// AddFive adds the weights of features f, less than 256, in a table of five columns to
// sum: two weights at a time, each counted from 0 in 16 bits, and the fifth alone.
func (w *Weights) AddFive(f []uint32, sum *[5]int32) {
	const zero, low = 128, 0x00ff00ff
	var even, odd uint32
	last := sum[4]
	for _, h := range f {
		i := RowStart(h, len(w.Data), len(sum))
		row := w.Data[i : i+5]
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

// negligible is the logarithm of what adds nothing to a sum that is at least 1.
const negligible = -12

// LogSum is the logarithm of the sum of the exponentials of x.
func LogSum(x []float32) float32 {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float64
	for _, v := range x {
		if v-top > negligible {
			sum += portable.Exp(float64(v - top))
		}
	}
	return top + float32(portable.Log(sum))
}

// Hash is 32-bit FNV-1a with a final mix, so that all bits depend on all
// bytes.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return Mix(h)
}

// Mix is the 32-bit finaliser of MurmurHash3.
func Mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Join hashes two hashes in order.
func Join(a, b uint32) uint32 { return Mix(a*0x9e3779b1 + b ^ b>>15) }

// Blend hashes two hashes, or numbers, in order: half as long as Join takes.
func Blend(a, b uint32) uint32 {
	h := (a*0x9e3779b1 ^ b) * 0x85ebca6b
	return h ^ h>>15
}
