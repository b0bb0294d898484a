// Command asm writes the assembly of package simd: each function once for AVX2 with FMA, and once
// for AVX-512. It is a separate module, so that capgraph does not depend on avo.
package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

func main() {
	build.Constraint(buildtags.Term("amd64"))
	writeTranspose()
	c := writeConstants()
	for _, bits := range []int{256, 512} {
		l := lanes{bits, c}
		writeTile(l, true)
		writeTile(l, false)
		writeReductions(l)
		writeSums(l)
		writeExponentials(l)
		writeGELU(l)
		writeLayerNorm(l)
		writeBatchNorm(l)
		writeAdamW(l)
	}
	build.Generate()
}
