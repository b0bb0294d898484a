//go:build cuda && linux && (amd64 || arm64)

package cublaslt

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/kernels/cuda/library"
)

// Handle is the opened library, with a workspace and the algorithms that were chosen so far. The
// context of the card must be current in each call.
type Handle struct {
	library   *library.Library
	version   int
	handle    uintptr
	workspace uint64
	size      uint64
	plans     map[shape]*plan

	create, destroy, getVersion                  uintptr
	descCreate, descSet                          uintptr
	layoutCreate, layoutSet                      uintptr
	preferenceCreate, preferenceSet, preferenceX uintptr
	heuristic, matmul                            uintptr
}

// Open opens the library that fits a driver of that version, from folders or else from the loader's
// own folders. workspace is memory of size bytes on the card.
func Open(driver int, folders []string, workspace, size uint64) (*Handle, error) {
	l, err := library.Open(LibraryNames(driver), folders)
	if err != nil {
		return nil, fmt.Errorf("no cuBLASLt: %w; install CUDA's toolkit, or 'pip install nvidia-cublas-cu12'", err)
	}
	h := &Handle{library: l, workspace: workspace, size: size, plans: map[shape]*plan{}}
	if err := l.Bind(map[string]*uintptr{
		"cublasLtCreate": &h.create, "cublasLtDestroy": &h.destroy, "cublasLtGetVersion": &h.getVersion,
		"cublasLtMatmulDescCreate": &h.descCreate, "cublasLtMatmulDescSetAttribute": &h.descSet,
		"cublasLtMatrixLayoutCreate": &h.layoutCreate, "cublasLtMatrixLayoutSetAttribute": &h.layoutSet,
		"cublasLtMatmulPreferenceCreate": &h.preferenceCreate, "cublasLtMatmulPreferenceSetAttribute": &h.preferenceSet,
		"cublasLtMatmulPreferenceDestroy": &h.preferenceX,
		"cublasLtMatmulAlgoGetHeuristic":  &h.heuristic, "cublasLtMatmul": &h.matmul,
	}); err != nil {
		return nil, err
	}
	version, _, _ := purego.SyscallN(h.getVersion)
	h.version = int(version)
	return h, h.call("cublasLtCreate", h.create, uintptr(unsafe.Pointer(&h.handle)))
}

// call calls a function and returns its status as an error.
//
//go:uintptrescapes
func (h *Handle) call(name string, function uintptr, arguments ...uintptr) error {
	status, _, _ := purego.SyscallN(function, arguments...)
	if int32(status) == 0 {
		return nil
	}
	text, ok := statuses[int32(status)]
	if !ok {
		text = "an error that is not listed here"
	}
	return fmt.Errorf("%s: %s (cuBLAS status %d)", name, text, int32(status))
}

// statuses has a message for each of the library's status codes.
var statuses = map[int32]string{
	1: "it is not initialised: the driver may be older than the library wants",
	3: "it could not allocate memory", 7: "an argument is wrong: a mistake of capgraph, please report it",
	8: "the card is not supported", 11: "memory could not be mapped", 13: "the card failed to compute",
	14: "an error of its own", 15: "the product is not supported", 16: "its licence was not found",
}

// Version returns 10000·major + 100·minor + patch.
func (h *Handle) Version() int { return h.version }

// Library returns the path of the library's file.
func (h *Handle) Library() string { return h.library.Path() }

// Algorithms returns the number of shapes for which an algorithm was looked up.
func (h *Handle) Algorithms() int { return len(h.plans) }

// Close frees the library's memory. The workspace belongs to the caller.
func (h *Handle) Close() error { return h.call("cublasLtDestroy", h.destroy, h.handle) }

// Multiply computes a product in a stream. M, N and K are not 0. The error is ErrNoAlgorithm if the
// library cannot compute the product.
func (h *Handle) Multiply(p *Product, stream uintptr) error {
	s := shapeOf(p)
	l, ok := h.plans[s]
	if !ok {
		var err error
		if l, err = h.newPlan(p, s); err != nil {
			return err
		}
		h.plans[s] = l
	}
	if l.unavailable != nil {
		return l.unavailable
	}
	if p.Bias != 0 {
		if err := h.setAttribute("cublasLtMatmulDescSetAttribute", h.descSet, l.desc, biasPointer, unsafe.Pointer(&p.Bias), 8); err != nil {
			return err
		}
	}
	// The library's matrices are column-major, so it computes Dᵀ = Bᵀ·Aᵀ.
	l.scales = [2]uint32{math.Float32bits(1), math.Float32bits(p.Beta)}
	if p.Type == Int8 {
		l.scales = [2]uint32{1, 0}
	}
	return h.call("cublasLtMatmul", h.matmul, h.handle, l.desc,
		uintptr(unsafe.Pointer(&l.scales[0])), uintptr(p.B.Address), l.b, uintptr(p.A.Address), l.a,
		uintptr(unsafe.Pointer(&l.scales[1])), uintptr(p.C.Address), l.c, uintptr(p.D.Address), l.d,
		uintptr(unsafe.Pointer(&l.algorithm)), uintptr(h.workspace), uintptr(h.size), stream)
}
