package simd

import (
	"testing"

	"capgraph/testing/generated"
)

func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	generated.CheckAssembly(t, "../asm", "simd", "simd_amd64.s", "stubs_amd64.go")
}
