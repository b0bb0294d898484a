// Command asm generates the assembly of package resize for AVX2. It is a module of its own so that
// capgraph does not depend on avo.
package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

// precision is the number of fractional bits of a weight.
const precision = 22

func main() {
	build.Constraint(buildtags.Term("amd64"))
	generateAcross()
	generateDown()
	build.Generate()
}
