//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A machine without a driver is told what was looked for; one on which there is no
// file of that name has none.
func TestADriverThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "libcuda.so.1"), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open([]string{dir, "/nowhere"})
	if err == nil {
		t.Skip("this machine has a driver of CUDA")
	}
	for _, want := range []string{"no driver of CUDA", "libcuda.so.1", dir, "/nowhere"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}
