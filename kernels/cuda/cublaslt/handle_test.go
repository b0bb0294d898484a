//go:build cuda && linux && (amd64 || arm64)

package cublaslt

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"capgraph/testing/cudastub"
)

// numbers are those of a matrix in the memory of the stub, which is the host's.
type numbers struct {
	t     Type
	half  []uint16
	float []float32
}

// newNumbers makes some, on the heap: a stack moves.
//
//go:noinline
func newNumbers(t Type, n, seed int) *numbers {
	x := &numbers{t: t, half: make([]uint16, n), float: make([]float32, n)}
	for i := range n {
		x.float[i] = float32((i*7+seed)%13 - 6) // exact in bf16
		x.half[i] = uint16(math.Float32bits(x.float[i]) >> 16)
	}
	return x
}

func (x *numbers) address() uint64 {
	if x.t == BFloat16 {
		return uint64(uintptr(unsafe.Pointer(&x.half[0])))
	}
	return uint64(uintptr(unsafe.Pointer(&x.float[0])))
}

// element is one of a matrix of a batch.
func (x *numbers) element(m Matrix, batch, i, j int) float32 {
	if m.Transposed {
		i, j = j, i
	}
	return x.float[batch*m.Step+i*m.Stride+j]
}

func open(t *testing.T) (*cudastub.Stub, *Handle) {
	s := cudastub.Build(t)
	h, err := Open(12040, []string{s.Folder}, 256, 1000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.SetNoBias(0)
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, h
}

// Every way in which matrices can lie is a product of rows and columns.
func TestProducts(t *testing.T) {
	_, h := open(t)
	const m, n, k, batch = 5, 3, 7, 2
	for _, c := range []struct {
		t                      Type
		transA, transB         bool
		bias, residual, inRoom bool
		batch                  int
	}{
		{Float32, false, false, false, false, false, 1}, {Float32, true, false, false, false, false, 1},
		{Float32, false, true, true, true, false, 1}, {BFloat16, true, true, true, false, false, 1},
		{BFloat16, false, true, false, true, true, 1}, {BFloat16, true, false, false, false, false, batch}, {BFloat16, false, true, false, false, false, batch},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			a, b, r, d, bias := newNumbers(c.t, 200, 1), newNumbers(c.t, 200, 2), newNumbers(Float32, 200, 3), newNumbers(Float32, 200, 4), newNumbers(Float32, n, 5)
			p := &Product{Type: c.t, M: m, N: n, K: k, Batch: c.batch}
			p.A = Matrix{Address: a.address(), Stride: k + 1, Transposed: c.transA, Step: 60}
			if c.transA {
				p.A.Stride = m + 2
			}
			p.B = Matrix{Address: b.address(), Stride: n + 3, Transposed: c.transB, Step: 80}
			if c.transB {
				p.B.Stride = k
			}
			p.D = Matrix{Address: d.address(), Stride: n + 1, Step: 40}
			p.C = p.D
			before := append([]float32(nil), d.float...)
			switch {
			case c.residual && c.inRoom:
				p.Beta = 1
				r.float = before
			case c.residual:
				p.Beta = 1
				p.C.Address = r.address()
			}
			if c.bias {
				p.Bias = bias.address()
			}
			if err := h.Multiply(p, 1); err != nil {
				t.Fatal(err)
			}
			for x := range c.batch {
				for i := range m {
					for j := range n {
						var want float32
						for l := range k {
							want += a.element(p.A, x, i, l) * b.element(p.B, x, l, j)
						}
						if c.residual {
							want += r.element(p.C, x, i, j)
						}
						if c.bias {
							want += bias.float[j]
						}
						if got := d.element(p.D, x, i, j); got != want {
							t.Fatalf("element %d, %d of matrix %d is %v, not %v", i, j, x, got, want)
						}
					}
				}
			}
		})
	}
}

// Products of int8 are exact: rows by rows, as tensor cores want them.
func TestProductsOfInt8(t *testing.T) {
	_, h := open(t)
	const m, n, k = 5, 8, 1536
	a, b, d := make([]int8, m*k), make([]int8, n*k), make([]int32, m*n)
	for i := range a {
		a[i] = int8(i*7%255 - 127)
	}
	for i := range b {
		b[i] = 127
	}
	at := func(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }
	to := Matrix{Address: at(unsafe.Pointer(&d[0])), Stride: n}
	p := &Product{Type: Int8, M: m, N: n, K: k, Batch: 1, C: to, D: to,
		A: Matrix{Address: at(unsafe.Pointer(&a[0])), Stride: k}, B: Matrix{Address: at(unsafe.Pointer(&b[0])), Stride: k, Transposed: true}}
	if err := h.Multiply(p, 1); err != nil {
		t.Fatal(err)
	}
	for i := range d {
		want := int32(0)
		for l := range k {
			want += int32(a[i/n*k+l]) * int32(b[i%n*k+l])
		}
		if d[i] != want {
			t.Fatalf("element %d is %d, not %d", i, d[i], want)
		}
	}
	p.B.Transposed, p.B.Stride = false, n
	if err := h.Multiply(p, 1); !errors.Is(err, ErrNoAlgorithm) || !strings.Contains(err.Error(), "[5, 1536]·[1536, 8] of int8") {
		t.Errorf("error %v", err)
	}
	runtime.KeepAlive([]any{a, b, d})
}

// An algorithm is asked for once a shape, for the workspace that there is and for
// sums whose order is fixed; where memory lies changes nothing.
func TestAlgorithmsAreKept(t *testing.T) {
	s, h := open(t)
	a, b, d, bias := newNumbers(BFloat16, 400, 1), newNumbers(BFloat16, 400, 2), newNumbers(Float32, 400, 3), newNumbers(Float32, 400, 4)
	p := &Product{Type: BFloat16, M: 4, N: 8, K: 16, Batch: 1}
	at := func(x *numbers) uint64 { return (x.address() + 15) &^ 15 }
	p.A, p.B, p.D = Matrix{Address: at(a), Stride: 16}, Matrix{Address: at(b), Stride: 8}, Matrix{Address: at(d), Stride: 8}
	p.C = p.D
	asked := s.HeuristicCount()
	for range 3 {
		if err := h.Multiply(p, 1); err != nil {
			t.Fatal(err)
		}
		p.A.Address += 16
	}
	if got := s.HeuristicCount() - asked; got != 1 || h.Algorithms() != 1 {
		t.Errorf("%d algorithms were asked for, %d are kept", got, h.Algorithms())
	}
	if want := "workspace 1000, schemes 2, alignment 16 16 16 16"; s.LastHeuristic() != want {
		t.Errorf("%s, not %s", s.LastHeuristic(), want)
	}
	p.A.Address += 2
	if err := h.Multiply(p, 1); err != nil || h.Algorithms() != 2 || s.LastHeuristic() != "workspace 1000, schemes 2, alignment 16 2 16 16" {
		t.Errorf("%v, %d algorithms, %s", err, h.Algorithms(), s.LastHeuristic())
	}
	s.SetNoBias(1)
	p.Bias = at(bias)
	for range 2 {
		if err := h.Multiply(p, 1); !errors.Is(err, ErrNoAlgorithm) || !strings.Contains(err.Error(), "[4, 16]·[16, 8] of bf16") {
			t.Error(err)
		}
	}
}

func TestErrorsNameTheCall(t *testing.T) {
	_, h := open(t)
	d := newNumbers(Float32, 10, 1)
	m := Matrix{Address: d.address(), Stride: 1}
	if err := h.Multiply(&Product{M: 1, N: 2, K: 1, A: m, B: m, C: m, D: m, Batch: 1}, 1); err == nil || !strings.HasPrefix(err.Error(), "cublasLtMatrixLayoutCreate: an argument is wrong") {
		t.Error(err)
	}
	if err := h.Multiply(&Product{M: 1, N: 1, K: 1, A: m, B: m, C: m, D: m, Batch: 1}, 0); err == nil || !strings.Contains(err.Error(), "cublasLtMatmul: an argument is wrong: a mistake of capgraph, please report it (cuBLAS status 7)") {
		t.Error(err)
	}
	if _, err := Open(11080, []string{"/nowhere"}, 0, 0); err == nil {
		t.Skip("this machine has cuBLASLt")
	} else if !strings.Contains(err.Error(), "pip install nvidia-cublas-cu12") {
		t.Error(err)
	}
}

func TestVersions(t *testing.T) {
	_, h := open(t)
	if h.Version() != 120409 || !strings.Contains(h.Library(), "libcublasLt.so.12") {
		t.Error(h.Version(), h.Library())
	}
	if got := LibraryNames(13000); got[0] != "libcublasLt.so.13" {
		t.Error(got)
	}
	if got := LibraryNames(12090); len(got) != 1 || got[0] != "libcublasLt.so.12" {
		t.Error(got)
	}
}
