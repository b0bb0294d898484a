package convnet

import (
	"testing"

	"capgraph/testing/generated"
)

func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	generated.CheckAssembly(t, "asm", "convnet", "products_amd64.s", "products_stubs_amd64.go")
}
