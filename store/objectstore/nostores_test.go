//go:build !stores

package objectstore_test

import (
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/store/objectstore"
)

// A build without the SDKs names the build that reads a store, and still checks addresses.
func TestThisBuildReadsNoStores(t *testing.T) {
	files := objectstore.New(t.Context(), objectstore.Defaults())
	for _, name := range []string{"s3://bucket/a.tsv", "gs://bucket/a.tsv", "azblob://bucket/a.tsv"} {
		_, err := files.Open(name)
		if err == nil || !strings.Contains(err.Error(), "go build -tags stores ./cmd/capgraph") ||
			!strings.Contains(err.Error(), name[:strings.LastIndex(name, "/")]) || !store.IsEnvironmentError(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := files.Open("s3://id:SECRET@bucket/a.tsv"); err == nil || strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "-tags") {
		t.Error(err)
	}
	name := t.TempDir() + "/a"
	if err := store.WriteFile(files, name, []byte("a")); err != nil {
		t.Error(err)
	}
	if _, err := files.Open("file://" + name); err != nil {
		t.Error(err)
	}
}
