package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/store"
)

func TestAFailedReadIsExplainedOnce(t *testing.T) {
	const name = "/proc/self/mem" // whose first page is not there
	_, err := store.ReadFile(store.Local{}, name, 100)
	if err == nil || strings.Count(err.Error(), name) != 1 || strings.Count(err.Error(), "dmesg") != 1 {
		t.Error(err)
	}
}

func TestSweepLeavesFilesOfOtherUsers(t *testing.T) {
	for _, c := range []struct {
		what         string
		folder, file os.FileMode
	}{
		{"that may not be opened", 0o777, 0},
		{"that may not be removed", 0o777 | os.ModeSticky, 0o666},
	} {
		if os.Getuid() != 0 && c.file != 0 { // this user's own
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, store.TempPrefix+"zz")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := errors.Join(os.Chtimes(path, old, old), os.Chmod(path, c.file), os.Chmod(dir, c.folder), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
			t.Fatal(err)
		}
		var n int
		var err error
		swept := make(chan struct{})
		go func() {
			defer close(swept)
			runtime.LockOSThread() // the thread ends with the goroutine
			if os.Getuid() == 0 {
				const nobody = 65534
				syscall.Setfsuid(nobody)
			}
			n, err = local.Sweep(dir)
		}()
		<-swept
		if n != 0 || err != nil {
			t.Errorf("a file %s: swept %d, %v", c.what, n, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
