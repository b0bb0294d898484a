package cutest

import (
	"unsafe"

	"capgraph/kernels/cuda/ptx"
)

// mostOfATable is how many words of a table are looked at.
const mostOfATable = 4096

// Given are the pieces of memory that a launch is given: those that its arguments
// point to, and where one is a table of addresses, those that its words point to.
func Given(k ptx.Kernel, arguments []uint64, pieces []Region) []Region {
	words := arguments
	for i, p := range k.Parameters {
		if at := find(pieces, arguments[i]); p.Type == "const index*" && at >= 0 {
			left := pieces[at].Bytes - (arguments[i] - pieces[at].Address)
			table := *(**uint64)(unsafe.Pointer(&arguments[i])) // the address is one of the host
			words = append(words[:len(words):len(words)], unsafe.Slice(table, min(left/8, mostOfATable))...)
		}
	}
	taken := make([]bool, len(pieces))
	var given []Region
	for _, w := range words {
		if at := find(pieces, w); at >= 0 && !taken[at] {
			taken[at] = true
			given = append(given, pieces[at])
		}
	}
	return given
}

// find is the piece in which an address lies, or -1.
func find(pieces []Region, address uint64) int {
	for i, p := range pieces {
		if address >= p.Address && address < p.Address+p.Bytes {
			return i
		}
	}
	return -1
}
