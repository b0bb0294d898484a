package kernels

import (
	"slices"
	"sync"
)

// joinedAtOnce is how many bytes a goroutine of Join copies: one core does not fill
// the memory's width, and fewer are not worth a goroutine.
const joinedAtOnce = 1 << 20

// Join copies pieces to dst, one after the other. dst has room for them.
func Join(dst []byte, pieces ...[]byte) {
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
		for part := range slices.Chunk(p, joinedAtOnce) {
			if group, size = append(group, part), size+len(part); size >= joinedAtOnce {
				begin()
			}
		}
	}
	for _, p := range group { // those that are left, by the caller
		dst = dst[copy(dst, p):]
	}
	copies.Wait()
}
