package negatives

import "unsafe"

// arena makes strings of byte slices in few allocations: a block's strings are
// freed together.
type arena struct{ block []byte }

const arenaBlock = 1 << 13

// keep copies b into a string.
func (a *arena) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(a.block)+len(b) > cap(a.block) {
		a.block = make([]byte, 0, max(arenaBlock, len(b)))
	}
	n := len(a.block)
	a.block = append(a.block, b...)
	// The bytes are never written again: the block only grows, within its capacity.
	return unsafe.String(&a.block[n], len(b))
}

// view is b as a string for as long as b is not written.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
