package golden

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"

	"capgraph/internal/portable"
	"capgraph/train/model"
)

// Formula returns weights that are in no file: the Go code and the Python code compute the same
// float32 bits from the name and stored shape of a tensor. Element i is mean + bound·u_i, where u_i
// is the upper 24 bits of output i of SplitMix64, mapped to [-1, 1). Its state is the first 8
// bytes, little endian, of the SHA-256 of "formula", a newline and the name. For a vector, bound is
// 1/8, and mean is 1 if its name ends in weight, gamma or running_var. All other tensors have mean
// 0; for a matrix, bound is √(3/n), where n is its number of elements divided by its first
// dimension.
func Formula(name string, shape []int) []float64 {
	n, mean, bound := 1, float32(0), float32(0.125)
	for _, d := range shape {
		n *= d
	}
	if len(shape) > 1 {
		bound = float32(math.Sqrt(3 * float64(shape[0]) / float64(n)))
	} else if strings.HasSuffix(name, "weight") || strings.HasSuffix(name, "gamma") || strings.HasSuffix(name, "running_var") {
		mean = 1
	}
	random := newStream("formula\n" + name)
	x := make([]float64, n)
	for i := range x {
		u := float32(int64(random.Next()>>40)-1<<23) / (1 << 23)
		x[i] = float64(mean + float32(u*bound))
	}
	return x
}

// FillFormula sets all parameters of a model to the values of Formula.
func FillFormula(m *model.Model) {
	for i, s := range m.Specs {
		x := Formula(s.Name, s.Shape)
		y := make([]float64, len(x))
		for k, v := range x {
			switch {
			case s.Transposed:
				k = k%s.Rows*s.Cols + k/s.Rows
			case s.Pixels > 1:
				in := s.Cols / s.Pixels
				k = k/s.Cols*s.Cols + k%s.Pixels*in + k%s.Cols/s.Pixels
			case s.Merged:
				quarter := s.Cols / 4
				k += []int{0, quarter, -quarter, 0}[k%s.Cols/quarter]
			}
			y[k] = v
		}
		x = y
		m.Device.Write(m.Vars[i].Value, x)
	}
}

// FormulaBytes returns n bytes, for example of pixels: the highest bytes of the outputs of
// SplitMix64, seeded with a name as in Formula.
func FormulaBytes(name string, n int) []byte {
	random := newStream("formula\n" + name)
	x := make([]byte, n)
	for i := range x {
		x[i] = byte(random.Next() >> 56)
	}
	return x
}

// newStream returns SplitMix64 with the first 8 bytes of SHA-256 of a text as its state.
func newStream(text string) *portable.SplitMix64 {
	digest := sha256.Sum256([]byte(text))
	random := portable.SplitMix64(binary.LittleEndian.Uint64(digest[:]))
	return &random
}
