// Command asm writes the assembly of package simd: each function once for the
// 256 bits of AVX2 with FMA and once for the 512 of AVX-512. It is a module of
// its own, so that avo is no dependency of capgraph.
package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

func main() {
	build.Constraint(buildtags.Term("amd64"))
	transpose()
	c := table()
	for _, bits := range []int{256, 512} {
		l := lanes{bits, c}
		tile(l, true)
		tile(l, false)
		reductions(l)
		sums(l)
		exponentials(l)
		gelu(l)
		layerNorm(l)
		batchNorm(l)
		adamw(l)
	}
	build.Generate()
}
