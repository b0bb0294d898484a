package kernels

import (
	"slices"
	"sync"
)

// copyChunk is how many bytes each goroutine of CopyPieces copies. One core does not use the full
// memory bandwidth, and starting a goroutine for fewer bytes takes longer than copying them.
const copyChunk = 1 << 20

// CopyPieces copies pieces to dst, one after the other. dst has room for them.
func CopyPieces(dst []byte, pieces ...[]byte) {
	var copies sync.WaitGroup
	var group [][]byte
	size := 0
	begin := func() {
		to, from := dst[:size], group
		copies.Go(func() {
			for _, p := range from {
				to = to[copy(to, p):]
			}
		})
		dst, group, size = dst[size:], nil, 0
	}
	for _, p := range pieces {
		for part := range slices.Chunk(p, copyChunk) {
			if group, size = append(group, part), size+len(part); size >= copyChunk {
				begin()
			}
		}
	}
	for _, p := range group { // the caller copies the last group itself
		dst = dst[copy(dst, p):]
	}
	copies.Wait()
}
