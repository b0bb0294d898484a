//go:build cuda && linux && (amd64 || arm64)

package cublaslt

import (
	"errors"
	"fmt"
	"unsafe"
)

// The numbers of cublasLt.h.
const (
	compute32F = 68 // CUBLAS_COMPUTE_32F: sums in float32, factors not rounded
	compute32I = 72 // CUBLAS_COMPUTE_32I: sums in int32

	transA      = 3 // attributes of a product
	transB      = 4
	epilogue    = 7
	biasPointer = 8

	batchCount = 5 // attributes of a layout
	batchStep  = 6

	maxWorkspace    = 1 // attributes of a preference
	reductionScheme = 3
	alignmentOfA    = 5
	alignmentOfB    = 6
	alignmentOfC    = 7
	alignmentOfD    = 8

	epilogueBias = 4
	// inWorkspace is the allowed reduction scheme of algorithms that split a sum: partial sums are
	// kept in the workspace in float32 and added in a fixed order. Algorithms that add them in
	// place, in any order, are excluded.
	inWorkspace = 2
)

// plan has the library's descriptors and algorithm for products of one shape.
type plan struct {
	unavailable error // why there is no algorithm
	desc        uintptr
	a, b, c, d  uintptr
	algorithm   [8]uint64
	scales      [2]uint32 // alpha and beta, as bits of the sums' type
}

// heuristicResult is cublasLtMatmulHeuristicResult_t.
type heuristicResult struct {
	algorithm [8]uint64
	workspace uint64
	state     int32
	waves     float32
	reserved  [4]int32
}

// setAttribute sets an attribute.
func (h *Handle) setAttribute(name string, function, of uintptr, attribute int, value unsafe.Pointer, size uintptr) error {
	return h.call(name, function, of, uintptr(attribute), uintptr(value), size)
}

// newPlan returns the plan for a shape, with the algorithm that the library chooses.
func (h *Handle) newPlan(p *Product, s shape) (*plan, error) {
	l := &plan{}
	sums, compute := p.Type.Sums(), uintptr(compute32F)
	if sums == Int32 {
		compute = compute32I
	}
	if err := h.call("cublasLtMatmulDescCreate", h.descCreate, uintptr(unsafe.Pointer(&l.desc)), compute, uintptr(sums)); err != nil {
		return nil, err
	}
	// The library's first matrix is our B and its second our A: see Multiply.
	attributes := []struct {
		what  int
		value uint64
		size  uintptr
	}{{transA, transposeFlag(p.B.Transposed), 4}, {transB, transposeFlag(p.A.Transposed), 4}}
	if p.Bias != 0 {
		attributes = append(attributes, struct {
			what  int
			value uint64
			size  uintptr
		}{epilogue, epilogueBias, 4}, struct {
			what  int
			value uint64
			size  uintptr
		}{biasPointer, p.Bias, 8})
	}
	for _, a := range attributes {
		if err := h.setAttribute("cublasLtMatmulDescSetAttribute", h.descSet, l.desc, a.what, unsafe.Pointer(&a.value), a.size); err != nil {
			return nil, err
		}
	}
	for _, m := range []struct {
		to         *uintptr
		t          Type
		rows, cols int
		Matrix
	}{{&l.a, p.Type, p.M, p.K, p.A}, {&l.b, p.Type, p.K, p.N, p.B}, {&l.c, sums, p.M, p.N, p.C}, {&l.d, sums, p.M, p.N, p.D}} {
		if err := h.createLayout(m.to, m.t, m.rows, m.cols, m.Matrix, p.Batch); err != nil {
			return nil, err
		}
	}
	return l, h.chooseAlgorithm(l, p, s)
}

// createLayout creates the library's description of a matrix. It is column-major: our rows are its
// columns.
func (h *Handle) createLayout(to *uintptr, t Type, rows, cols int, m Matrix, batch int) error {
	if m.Transposed {
		rows, cols = cols, rows
	}
	if err := h.call("cublasLtMatrixLayoutCreate", h.layoutCreate, uintptr(unsafe.Pointer(to)), uintptr(t), uintptr(cols), uintptr(rows), uintptr(m.Stride)); err != nil {
		return err
	}
	if batch == 1 {
		return nil
	}
	count, step := int32(batch), int64(m.Step)
	return errors.Join(
		h.setAttribute("cublasLtMatrixLayoutSetAttribute", h.layoutSet, *to, batchCount, unsafe.Pointer(&count), 4),
		h.setAttribute("cublasLtMatrixLayoutSetAttribute", h.layoutSet, *to, batchStep, unsafe.Pointer(&step), 8))
}

// chooseAlgorithm sets l.algorithm to the first one that the library's heuristic proposes, or
// l.unavailable if there is none.
func (h *Handle) chooseAlgorithm(l *plan, p *Product, s shape) error {
	var preference uintptr
	if err := h.call("cublasLtMatmulPreferenceCreate", h.preferenceCreate, uintptr(unsafe.Pointer(&preference))); err != nil {
		return err
	}
	defer h.call("cublasLtMatmulPreferenceDestroy", h.preferenceX, preference)
	for _, a := range []struct {
		what  int
		value uint64
		size  uintptr
	}{
		{maxWorkspace, h.size, 8}, {reductionScheme, inWorkspace, 4},
		{alignmentOfA, uint64(s.alignB), 4}, {alignmentOfB, uint64(s.alignA), 4}, {alignmentOfC, uint64(s.alignC), 4}, {alignmentOfD, uint64(s.alignD), 4},
	} {
		if err := h.setAttribute("cublasLtMatmulPreferenceSetAttribute", h.preferenceSet, preference, a.what, unsafe.Pointer(&a.value), a.size); err != nil {
			return err
		}
	}
	var result heuristicResult
	var n int32
	err := h.call("cublasLtMatmulAlgoGetHeuristic", h.heuristic, h.handle, l.desc, l.b, l.a, l.c, l.d, preference, 1,
		uintptr(unsafe.Pointer(&result)), uintptr(unsafe.Pointer(&n)))
	if err != nil || n == 0 || result.state != 0 {
		l.unavailable = errors.Join(fmt.Errorf("%w for %s", ErrNoAlgorithm, p), err)
	}
	l.algorithm = result.algorithm
	return nil
}

// transposeFlag returns CUBLAS_OP_T for a transposed matrix, otherwise CUBLAS_OP_N.
func transposeFlag(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}
