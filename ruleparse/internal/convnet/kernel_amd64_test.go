package convnet

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"capgraph/testing/longtest"
)

// TestKernelsAgree compares each kernel of this processor with plain sums, for values and weights of
// any size.
func TestKernelsAgree(t *testing.T) {
	if !hasDense {
		t.Skip("this processor has no kernel")
	}
	defer func(before bool) { hasVNNI = before }(hasVNNI)
	kernels := []bool{false}
	if hasVNNI {
		kernels = append(kernels, true)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		weights, values := make([]byte, channels*channels), [channels]uint8{}
		var start channelSums
		for i := range weights {
			weights[i] = byte(rnd.Uint32())
			if n%3 == 0 {
				weights[i] = []byte{127, 128}[rnd.IntN(2)]
			}
		}
		for c := range values {
			values[c] = uint8(rnd.IntN(maxValue + 1))
			if n%2 == 0 {
				values[c] = maxValue
			}
			start[c] = int32(rnd.Uint32()) >> 4
		}
		want := start
		for c := range channels {
			for k, v := range values {
				want[c] += int32(v) * int32(int8(weights[k*channels+c]))
			}
		}
		for _, hasVNNI = range kernels {
			got := start
			addDense(&got, &values, packDense(string(weights)))
			if got != want {
				t.Fatalf("VNNI %v: sums %v, want %v", hasVNNI, got, want)
			}
		}
	}
}

// TestTheAssemblyIsWhatIsGenerated generates it again if avo is at hand.
func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	longtest.Only(t, "it builds the generator")
	folder := t.TempDir()
	made := filepath.Join(folder, "products_amd64.s")
	c := exec.Command("go", "run", ".", "-out", made, "-stubs", filepath.Join(folder, "stubs.go"), "-pkg", "convnet")
	c.Dir, c.Env = "asm", append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("GOPROXY=off")) {
			t.Skip("avo is not in the module cache: run go mod download in ruleparse/internal/convnet/asm")
		}
		t.Fatalf("%v: %s", err, out)
	}
	committed, err := os.ReadFile("products_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if _, again, _ = bytes.Cut(again, []byte("\n")); !bytes.HasSuffix(committed, again) { // the first line names files
		t.Error("products_amd64.s is not what asm writes: run go generate ./ruleparse/internal/convnet")
	}
}
