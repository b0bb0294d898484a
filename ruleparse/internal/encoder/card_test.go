//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package encoder

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"capgraph/kernels/cuda"
	"capgraph/testing/cudastub"
	"capgraph/testing/cutest"
)

// compiled are the kernels for the processor, once for all tests.
var compiled = sync.OnceValues(func() (*cutest.Machine, error) { return cutest.New("../../../kernels") })

// openStubCard opens a card whose driver is a stub and whose kernels run on the processor, their
// threads in this order.
func openStubCard(t *testing.T, order cutest.Order) *cuda.Device {
	s := cudastub.Build(t)
	m, err := compiled()
	if errors.Is(err, cutest.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Compute(t, m, order)
	t.Setenv("LD_LIBRARY_PATH", s.Folder)
	d, err := cuda.Open(0, cuda.Float32)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil || len(s.Memory()) > 0 {
			t.Errorf("closing: %v, %d pieces of memory are left", err, len(s.Memory()))
		}
	})
	return d
}

// TestACardAgrees compares the vectors that a card computes with those of plain Go, in each order of
// the card's threads: of texts alone, together, without pieces and as long as may be.
func TestACardAgrees(t *testing.T) {
	long := Input{Pieces: make([]int32, 40), Shapes: make([]uint8, 40), First: []int32{0, 1, 30}, Last: []int32{0, 29, 39}}
	for i := range long.Pieces {
		long.Pieces[i], long.Shapes[i] = int32(i*37%100), uint8(i%shapeCount)
	}
	texts := []Input{long, {}, {Pieces: []int32{1, 2}, Shapes: []uint8{0, 0}}}
	for _, x := range readGolden(t).Texts {
		texts = append(texts, x.Input)
	}
	n := useKernel(t, &portable)
	for _, order := range []cutest.Order{cutest.Forward, cutest.Reverse, cutest.Shuffled} {
		c, err := n.MoveTo(openStubCard(t, order))
		if err != nil {
			t.Fatal(err)
		}
		var got, want Memory
		for _, some := range [][]Input{texts, texts[:1], texts[1:2], nil, slices.Repeat(texts[:1], 2)} {
			n.Encode(&want, some)
			if err := c.Encode(&got, some); err != nil {
				t.Fatal(err)
			}
			if len(got.Vectors) != len(want.Vectors) {
				t.Fatalf("%d numbers, want %d", len(got.Vectors), len(want.Vectors))
			}
			sameBits(t, "a card", got.Vectors, want.Vectors)
		}
	}
}
