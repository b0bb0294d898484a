// Command asm writes the assembly of package encoder for amd64: most functions once for AVX2 and once for AVX-512. It
// is a module of its own, so that avo is no dependency of capgraph. No product is fused with a sum.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

// Sizes as in package encoder.
const (
	width   = 384
	heads   = 12
	columns = 64
	pattern = 4 * heads
)

func main() {
	Constraint(buildtags.Term("amd64"))
	writeProductsVNNI()
	writeProductsAVX2()
	c := writeConstants()
	for _, bits := range []int{256, 512} {
		l := lanes{bits, c}
		for _, how := range []string{"store", "storeGELU", "addTo"} {
			writeFinish(l, how)
		}
		writeLargest(l)
		writeRound(l)
		writeNorm(l)
		writeScores(l)
		writeSoftmax(l)
		writeContext(l)
	}
	Generate()
}
