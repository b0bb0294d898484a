package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"capgraph/testing/longtest"
)

// TestTheAssemblyIsWhatIsGenerated generates it again where avo is at hand.
func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	longtest.Only(t, "it builds the generator")
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	c := exec.Command("go", "run", ".", "-out", at("simd_amd64.s"), "-stubs", at("stubs_amd64.go"), "-pkg", "simd")
	c.Dir = filepath.Join("..", "asm")
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("GOPROXY=off")) {
			t.Skip("avo is not in the module cache: run go mod download in kernels/cpu/asm")
		}
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"simd_amd64.s", "stubs_amd64.go"} {
		committed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		// The first line has the command, with the files' names.
		if _, made, _ = bytes.Cut(made, []byte("\n")); !bytes.HasSuffix(committed, made) {
			t.Errorf("%s is not what kernels/cpu/asm writes: run go generate ./kernels/cpu/simd", name)
		}
	}
}
