package resize

import (
	"testing"

	"capgraph/testing/generated"
)

func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	generated.CheckAssembly(t, "asm", "resize", "passes_amd64.s", "passes_stubs_amd64.go")
}
