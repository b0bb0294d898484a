package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file that cannot be looked at once it is made is an error, and leaves nothing behind.
func TestCreateLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	lstat = func(name string) (fs.FileInfo, error) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: syscall.EIO}
	}
	t.Cleanup(func() { lstat = os.Lstat })
	_, err := Local{}.Create(filepath.Join(dir, "a.parquet"))
	if !errors.Is(err, syscall.EIO) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
