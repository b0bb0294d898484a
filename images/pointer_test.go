package images

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
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

// TestPointersInsideAreNamed says the same of images in a tar and in Parquet.
func TestPointersInsideAreNamed(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"
	dir := t.TempDir()
	write(t, dir+"/tars/00000.tar", tarOf(t, member{"1.jpg", pointer}, member{"2.jpg", "two"}))
	record(t, dir+"/parquet/00000.parquet", texts("1", "2"), "jpg", []member{{"", pointer}, {"", "two"}}, false)
	for format, want := range map[string]string{"tars": "00000.tar: the image 1 is a Git LFS pointer", "parquet": "00000.parquet: the image of row 0 is a Git LFS pointer"} {
		s := open(t, Options{Paths: []string{dir + "/" + format}})
		if _, err := s.Read(t.Context(), "00000", "1", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", format, err, want)
		}
		if data, err := s.Read(t.Context(), "00000", "2", nil); err != nil || string(data) != "two" {
			t.Errorf("%s: its neighbour: %q, %v", format, data, err)
		}
	}
}

// TestListsOfImages names a column with several images a row, and says what to do.
func TestListsOfImages(t *testing.T) {
	dir := t.TempDir()
	element := arrow.StructOf(arrow.Field{Name: bytesField, Type: arrow.BinaryTypes.Binary}, arrow.Field{Name: pathField, Type: arrow.BinaryTypes.String})
	for name, element := range map[string]arrow.DataType{"structs": element, "bytes": arrow.BinaryTypes.Binary} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "images", Type: arrow.ListOf(element), Nullable: true}, {Name: "caption", Type: arrow.BinaryTypes.String}}, nil)
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		b.Field(0).AppendNull()
		b.Field(1).(*array.StringBuilder).Append("a dog")
		var file bytes.Buffer
		w, err := parquetio.NewWriter(&file, schema, parquetio.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b.NewRecord()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		write(t, dir+"/"+name+"/0.parquet", file.Bytes())
		for _, column := range []string{"", "images"} {
			_, err := Open(store.Local{}, Options{Paths: []string{dir + "/" + name}, Column: column})
			if err == nil || !strings.Contains(err.Error(), `column "images" holds lists of images`) || !strings.Contains(err.Error(), "write a row for each image") {
				t.Errorf("%s, column %q: %v", name, column, err)
			}
		}
	}
}
