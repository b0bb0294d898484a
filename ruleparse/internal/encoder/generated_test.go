//go:build amd64

package encoder

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"capgraph/testing/longtest"
)

// TestTheAssemblyIsWhatIsGenerated generates it again if avo is at hand.
func TestTheAssemblyIsWhatIsGenerated(t *testing.T) {
	longtest.Only(t, "it builds the generator")
	folder := t.TempDir()
	made := filepath.Join(folder, "kernel_amd64.s")
	c := exec.Command("go", "run", ".", "-out", made, "-stubs", filepath.Join(folder, "stubs.go"), "-pkg", "encoder")
	c.Dir, c.Env = "asm", append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("GOPROXY=off")) {
			t.Skip("avo is not in the module cache: run go mod download in ruleparse/internal/encoder/asm")
		}
		t.Fatalf("%v: %s", err, out)
	}
	committed, err := os.ReadFile("kernel_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if _, again, _ = bytes.Cut(again, []byte("\n")); !bytes.HasSuffix(committed, again) { // the first line names files
		t.Error("kernel_amd64.s is not what asm writes: run go generate ./ruleparse/internal/encoder")
	}
}
