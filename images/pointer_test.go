package images

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// TestPointersAreNamed says of images, tars and Parquet files that Git LFS left pointers of which file
// is one, and how it is fetched.
func TestPointersAreNamed(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for name, format := range map[string]string{"1.jpg": "folder", "00000.tar": "tars", "00000.parquet": "parquet"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(pointer), 0o600); err != nil {
			t.Fatal(err)
		}
		o := Options{Format: format, Paths: []string{path}}
		if format == "folder" {
			o.Paths = []string{dir}
		}
		set, err := Open(store.Local{}, o)
		if err == nil {
			_, err = set.Read(t.Context(), strings.TrimSuffix(name, ".jpg"), name, nil)
		}
		if err == nil || !strings.Contains(err.Error(), name+": is a Git LFS pointer") || !strings.Contains(err.Error(), "git lfs pull") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
