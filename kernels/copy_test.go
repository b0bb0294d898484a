package kernels

import (
	"bytes"
	"slices"
	"testing"
)

// Pieces of any size lie one after the other, and what is behind them stays.
func TestJoin(t *testing.T) {
	for _, sizes := range [][]int{nil, {0}, {1}, {3, 0, 5}, {copyChunk}, {copyChunk - 1, 2, copyChunk + 1}, {1, 3*copyChunk + 7, 150528, 150528}} {
		var pieces [][]byte
		for i, n := range sizes {
			p := make([]byte, n)
			for k := range p {
				p[k] = byte(k*7 + i)
			}
			pieces = append(pieces, p)
		}
		want := append(slices.Concat(pieces...), 1, 2, 3)
		got := make([]byte, len(want))
		copy(got[len(got)-3:], []byte{1, 2, 3})
		CopyPieces(got, pieces...)
		if !bytes.Equal(got, want) {
			t.Errorf("pieces of %v are not joined", sizes)
		}
	}
}
