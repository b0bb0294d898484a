package encoder

import (
	"testing"

	"capgraph/testing/generated"
)

func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	generated.CheckAssembly(t, "asm", "encoder", "kernel_amd64.s", "kernel_stubs_amd64.go")
}
