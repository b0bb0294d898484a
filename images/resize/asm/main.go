// Command asm writes the assembly of package resize, for AVX2. It is a module
// of its own, so that avo is no dependency of capgraph.
package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

// precision is how many bits of a weight are behind the point.
const precision = 22

func main() {
	build.Constraint(buildtags.Term("amd64"))
	across()
	down()
	build.Generate()
}
