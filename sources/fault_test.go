package sources

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// readFrom reads all rows of a file through a store.
func readFrom(t *testing.T, s store.Store, path string, f goodFile) (rows []Row, err error) {
	t.Helper()
	opts := Options{Format: f.format, Paths: []string{path}, Columns: f.columns, Keep: f.keep}
	files, err := Expand(s, opts)
	if err != nil {
		return nil, err
	}
	r, err := Open(t.Context(), s, files[0], opts, schemas.Position{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		var row Row
		if err := r.Next(&row); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
}

// TestDeviceErrorsAreNotFileErrors fails each operation of reading each form in
// turn: the device's error comes out, never an error of the file, and never an
// end before the last row.
func TestDeviceErrorsAreNotFileErrors(t *testing.T) {
	var errnos []syscall.Errno
	for errno := syscall.Errno(1); errno < 134; errno++ {
		if store.IsEnvironmentError(errno) {
			errnos = append(errnos, errno)
		}
	}
	for _, f := range goodFiles(t) {
		path := filepath.Join(t.TempDir(), "in"+f.ext)
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			t.Fatal(err)
		}
		counting := faultstore.New(store.Local{}, nil)
		want, err := readFrom(t, counting, path, f)
		if err != nil {
			t.Fatal(err)
		}
		for n := range counting.Count() {
			got, err := readFrom(t, faultstore.New(store.Local{}, faultstore.At(n, errnos[n%int64(len(errnos))])), path, f)
			if err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: fault %d: %d rows of %d and no error", f.name, n, len(got), len(want))
			}
			var file *FileError
			if err != nil && !errors.Is(err, errnos[n%int64(len(errnos))]) || errors.As(err, &file) {
				t.Errorf("%s: fault %d: %v", f.name, n, err)
			}
		}
	}
}
