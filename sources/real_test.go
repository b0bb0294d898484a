package sources

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"capgraph/schemas"
	"capgraph/store"
)

// shared is a file of the real data that lies beside the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent: the real data is not part of the repository", path)
	}
	return path
}

// TestRealCorpora reads real files whole: the counts are those that their
// publishers state, and the rows of an image are adjacent.
func TestRealCorpora(t *testing.T) {
	for _, c := range []struct {
		format, file string
		columns      map[string][]string
		rows, images int
		grouped      bool
	}{
		{"coco", "coco/captions_val2017.json", nil, 25014, 5000, true},
		{"karpathy", "coco/karpathy_val_minus_val2017.json", nil, 21963, 4391, true},
		{"cc3m", "cc3m/cc3m_val_first8000.tsv", nil, 8000, 8000, true},
		{"parquet", "webalt/test_1000.parquet", map[string][]string{Caption: {"TEXT"}, Image: {"URL"}}, 1000, 1000, true},
		{"graphs", "factual/factual_sg_dev.csv", nil, 961, 956, false},
		{"graphs", "factual/factual_sg_id_dev.csv", nil, 961, 956, false},
		{"jsonl", "vsr/dev.jsonl", nil, 1097, 1017, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			opts := Options{Format: c.format, Paths: []string{shared(t, c.file)}, Columns: c.columns}
			r, err := open(t, opts, schemas.Position{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			rows, runs := 0, 0
			images, keys := map[string]bool{}, map[string]bool{}
			last := ""
			for {
				var row Row
				if err := r.Next(&row); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if row.Reject != "" {
					t.Fatalf("row %d: %s: %s", rows, row.Reject, row.Detail)
				}
				rows++
				if row.ImageKey != last {
					runs++
				}
				last = row.ImageKey
				images[row.ImageKey], keys[row.Key] = true, true
			}
			if rows != c.rows || len(images) != c.images || len(keys) != rows {
				t.Errorf("%d rows, %d images, %d keys; want %d, %d, %d", rows, len(images), len(keys), c.rows, c.images, c.rows)
			}
			if c.grouped && runs != len(images) {
				t.Errorf("%d images in %d runs", len(images), runs)
			}
		})
	}
}

// TestRealImg2dataset makes two tars with sidecars, as img2dataset writes them,
// of real images: the captions of COCO come out again.
func TestRealImg2dataset(t *testing.T) {
	annotations := filepath.Dir(shared(t, "coco/mini/annotations"))
	files, err := filepath.Glob(filepath.Join(annotations, "annotations", "captions*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no captions in %s: %v", annotations, err)
	}
	var captions []Row
	for _, file := range files {
		rows, _, err := read(t, Options{Format: "coco", Paths: []string{file}}, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		captions = append(captions, rows...)
	}
	captions = slices.DeleteFunc(captions, func(c Row) bool { // some images are not there
		_, err := os.Stat(filepath.Join(annotations, "images", c.Image))
		return err != nil
	})
	if len(captions) < 76 {
		t.Fatalf("%d captions of images that are there", len(captions))
	}
	dir := t.TempDir()
	want := map[string]Row{}
	for shard := range 2 {
		var tarred bytes.Buffer
		w := tar.NewWriter(&tarred)
		var rows []sidecar
		for i, c := range captions[shard*len(captions)/2 : (shard+1)*len(captions)/2] {
			key := fmt.Sprintf("%05d%04d", shard, i)
			jpeg, err := os.ReadFile(filepath.Join(annotations, "images", c.Image))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.WriteHeader(&tar.Header{Name: key + ".jpg", Mode: 0o644, Size: int64(len(jpeg))}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(jpeg); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, sidecar{&c.Caption, c.Image, key, "success", 640})
			want[key] = Row{Key: key, ImageKey: key, Image: fmt.Sprintf("%05d.tar/%s.jpg", shard, key), Caption: c.Caption, Kind: "caption",
				Same: []uint64{xxhash.Sum64String(c.Image)}, Keep: []Kept{{Text: c.Image}}}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(rows) // in the order of completion
		for name, data := range map[string][]byte{".tar": tarred.Bytes(), extSidecar: parquetOf(t, rows)} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d", shard)+name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	opts := Options{Format: "img2dataset", Paths: []string{dir}, Keep: []string{"url"}}
	shards, err := Expand(store.Local{}, opts)
	if err != nil || len(shards) != 2 {
		t.Fatalf("%d shards, %v", len(shards), err)
	}
	last := ""
	for _, s := range shards {
		opts.Paths = []string{s.Path}
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range rows {
			if got.Key <= last {
				t.Errorf("key %s after %s", got.Key, last)
			}
			last = got.Key
			got.SourceRow = 0
			if !reflect.DeepEqual(got, want[got.Key]) {
				t.Errorf("got %+v\nwant %+v", got, want[got.Key])
			}
			delete(want, got.Key)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d captions did not come out", len(want))
	}
}
