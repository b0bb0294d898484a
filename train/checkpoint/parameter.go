package checkpoint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"capgraph/train/model"
)

// findNaming returns the naming of the file's tensors.
func (r *Reader) findNaming() naming {
	for _, f := range namings {
		if _, ok := r.Info(f.marker); ok {
			return f
		}
	}
	return namings[len(namings)-1]
}

// explainMismatch returns why the stored tensors of a parameter do not fit it, or "" if they do.
func explainMismatch(s model.Spec, f naming, found []Info) string {
	want := slices.Clone(s.Shape)
	if s.Transposed && f.outFirst {
		slices.Reverse(want)
	}
	if len(want) > 0 {
		want[0] /= len(found)
	}
	for _, i := range found {
		if !strings.HasSuffix(i.Type, "F16") && i.Type != "F32" && i.Type != "F64" {
			return fmt.Sprintf("%s is of %s", i.Name, i.Type)
		}
		have := i.Shape
		if len(want) == 0 && slices.Equal(have, []int{1}) {
			have = nil
		}
		if s.Resize != model.Fixed && len(have) == len(want) {
			at := len(want) - 2 // index of the number of rows
			rows := have[at]
			have = slices.Clone(have)
			if s.Resize == model.Linear && rows > 0 || squareSide(rows-1) > 0 {
				have[at] = want[at]
			}
		}
		if !slices.Equal(have, want) {
			return fmt.Sprintf("%s is %v, not %v", i.Name, have, want)
		}
	}
	return ""
}

// squareSide returns the square root of n, or 0 if n is no square.
func squareSide(n int) int {
	side := int(math.Sqrt(float64(max(n, 0))))
	if side*side != n {
		return 0
	}
	return side
}

// readParameter reads a parameter from the stored tensors of these names, and converts it to the
// shape and order of model.Spec.
func (r *Reader) readParameter(s model.Spec, f naming, names []string) (Tensor, error) {
	var x []float64
	double := false
	for _, n := range names {
		t, err := r.Tensor(n)
		if err != nil {
			return Tensor{}, err
		}
		part, _ := t.Floats()
		for k, v := range part {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return Tensor{}, fmt.Errorf("%s: tensor %s has %v at position %d: these weights are damaged, or their training diverged", r.name, n, v, k)
			}
		}
		if _, ok := t.Data.([]float64); ok {
			double = true
		}
		if x == nil {
			x = part
		} else {
			x = append(x, part...)
		}
	}
	switch {
	case s.Resize != model.Fixed && len(x) != s.Len():
		from := len(x) / s.Cols
		switch s.Resize {
		case model.Linear:
			x = resizeLine(x, from, s.Rows, s.Cols)
		case model.Antialiased:
			x = resizeGrid(x, squareSide(from-1), squareSide(s.Rows-1), s.Cols, antialiasedTaps)
		case model.Bicubic:
			x = resizeGrid(x, squareSide(from-1), squareSide(s.Rows-1), s.Cols, bicubicTaps)
		}
	case s.Transposed && !f.outFirst:
		x = transposeMatrix(x, s.Cols, s.Rows)
	case s.Pixels > 1:
		x = transposeKernels(x, s, s.Cols/s.Pixels, s.Pixels)
	case s.Merged:
		x = swapQuarters(x, s.Cols)
	}
	if double {
		return Tensor{[]int{s.Rows, s.Cols}, x}, nil
	}
	return Float32([]int{s.Rows, s.Cols}, x), nil
}

// transposeKernels returns the kernels of a convolution, each transposed from [rows, cols] to
// [cols, rows].
func transposeKernels[T any](x []T, s model.Spec, rows, cols int) []T {
	y := make([]T, 0, len(x))
	for i := range s.Rows {
		y = append(y, transposeMatrix(x[i*s.Cols:(i+1)*s.Cols], rows, cols)...)
	}
	return y
}

// swapQuarters exchanges the second and the third quarter of each row of cols numbers.
func swapQuarters[T any](x []T, cols int) []T {
	y, quarter := slices.Clone(x), cols/4
	for at := 0; at < len(x); at += cols {
		copy(y[at+quarter:], x[at+2*quarter:at+3*quarter])
		copy(y[at+2*quarter:], x[at+quarter:at+2*quarter])
	}
	return y
}

// transposeMatrix returns the transpose [cols, rows] of x [rows, cols].
func transposeMatrix[T any](x []T, rows, cols int) []T {
	y := make([]T, len(x))
	for i := range rows {
		for j := range cols {
			y[j*rows+i] = x[i*cols+j]
		}
	}
	return y
}
