// Package generated checks that committed assembly equals the output of its generator.
package generated

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"capgraph/testing/longtest"
)

// CheckAssembly runs the generator in the folder generator and compares its output with the files
// assembly and stubs of package pkg in the current folder. It does nothing if avo is not in the
// module cache.
func CheckAssembly(t *testing.T, generator, pkg, assembly, stubs string) {
	t.Helper()
	longtest.Only(t, "it builds the generator")
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	c := exec.Command("go", "run", ".", "-out", at(assembly), "-stubs", at(stubs), "-pkg", pkg)
	c.Dir = generator
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("GOPROXY=off")) {
			t.Skip("avo is not in the module cache: run go mod download in " + generator)
		}
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{assembly, stubs} {
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
			t.Errorf("%s is not what %s writes: run go generate", name, generator)
		}
	}
}
