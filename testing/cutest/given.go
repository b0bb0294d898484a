package cutest

import (
	"unsafe"

	"capgraph/kernels/cuda/ptx"
)

// maxTableWords is how many addresses of a table are read at most.
const maxTableWords = 4096

// ArgumentRegions returns the memory that a launch may access: the pieces that its arguments point
// into and, if an argument is a table of addresses, the pieces that these point into.
func ArgumentRegions(k ptx.Kernel, arguments []uint64, pieces []Region) []Region {
	words := arguments
	for i, p := range k.Parameters {
		if at := findRegion(pieces, arguments[i]); p.Type == "const index*" && at >= 0 {
			left := pieces[at].Bytes - (arguments[i] - pieces[at].Address)
			table := *(**uint64)(unsafe.Pointer(&arguments[i])) // the address is valid on the host
			words = append(words[:len(words):len(words)], unsafe.Slice(table, min(left/8, maxTableWords))...)
		}
	}
	taken := make([]bool, len(pieces))
	var given []Region
	for _, w := range words {
		if at := findRegion(pieces, w); at >= 0 && !taken[at] {
			taken[at] = true
			given = append(given, pieces[at])
		}
	}
	return given
}

// findRegion returns the index of the region that contains an address; -1 if there is none.
func findRegion(pieces []Region, address uint64) int {
	for i, p := range pieces {
		if address >= p.Address && address < p.Address+p.Bytes {
			return i
		}
	}
	return -1
}
