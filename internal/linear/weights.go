// Package linear has linear models over hashed features: tables of int8 weights, and the hashes by
// which features find their rows.
package linear

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"capgraph/internal/portable"
)

// Weights is a linear model over hashed features: a table with a row for each hash and a column for
// each outcome.
type Weights struct {
	Data string
	mask uint32
	// value of a weight of 1
	Unit float32
}

// ReadWeights reads a table whose rows have width columns. The data begins with the width, a
// little-endian uint32, and the value of a weight of 1, a float32. The rows of int8 follow; their
// number is a power of two.
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

// Sum returns the score of a list of features in a table of one column. It is rounded before it is
// added to others (see package portable).
func (w *Weights) Sum(f []uint32) float32 {
	var s int32
	for _, h := range f {
		s += int32(int8(w.Data[h&w.mask]))
	}
	return float32(float32(s) * w.Unit)
}

// RowStart returns the index at which the row of feature h begins in a table of n weights. Rows
// overlap: most weights of a row are 0, so features whose rows share a few weights disturb each
// other little.
func RowStart(h uint32, n, width int) uint64 { return uint64(h) * uint64(n-width+1) >> 32 }

// AddFive adds the weights of the features f, fewer than 256, to sum, in a table of five columns.
// It adds two weights at a time, in 16 bits each, and the fifth alone.
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

// negligible is the logarithm of a term that changes nothing in a sum of at least 1.
const negligible = -12

// LogSum returns the logarithm of the sum of the exponentials of x.
func LogSum(x []float32) float32 {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float64
	for _, v := range x {
		switch {
		case v == top:
			sum++
		case v-top > negligible:
			sum += portable.Exp(float64(v - top))
		}
	}
	return top + float32(portable.Log(sum))
}

// Hash is 32-bit FNV-1a with a final mix, so that all bits depend on all bytes.
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

// Blend hashes two hashes or numbers in order, in half the time of Join.
func Blend(a, b uint32) uint32 {
	h := (a*0x9e3779b1 ^ b) * 0x85ebca6b
	return h ^ h>>15
}
