package folder

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
)

// writeShard writes the images and texts of rows as a shard of graphs/.
func writeShard(t *testing.T, f Folder, shard string, images, texts []string) {
	t.Helper()
	file, err := f.CreateFile(DataFile(PassParse, shard))
	if err != nil {
		t.Fatal(err)
	}
	s := arrow.BinaryTypes.String
	schema := arrow.NewSchema([]arrow.Field{schemas.Field(schemas.ColImageKey, s), schemas.Field(schemas.ColText, s)}, nil)
	w, err := parquetio.NewWriter(file, schema, parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).AppendValues(images, nil)
	b.Field(1).(*array.StringBuilder).AppendValues(texts, nil)
	if err := errors.Join(w.Write(b.NewRecord()), w.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Publish(); err != nil {
		t.Fatal(err)
	}
}

// An image is in one batch, unless its texts alone fill one; no row is lost.
func TestImagesInBatches(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	var images, texts []string
	add := func(image string, rows, size int) {
		for range rows {
			images = append(images, image)
			texts = append(texts, strings.Repeat(image, size))
		}
	}
	for i := range 400 {
		add(string(rune('A'+i%26)), 3, 30_000)
	}
	add("-", 300, 100_000)
	for i := range 400 {
		add(string(rune('A'+i%26)), 3, 10)
	}
	writeShard(t, f, "s", images, texts)
	batches, err := f.ReadShard(memory.DefaultAllocator, PassParse, "s", []string{schemas.ColImageKey, schemas.ColText})
	if err != nil {
		t.Fatal(err)
	}
	defer batches.Close()
	row, last, cuts := 0, "", 0
	for {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		columns, err := schemas.Strings(rec, schemas.ColImageKey, schemas.ColText)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for i := range columns[0].Len() {
			image, text := columns[0].Value(i), columns[1].Value(i)
			if image != images[row] || text != texts[row] {
				t.Fatalf("row %d is another", row)
			}
			if i == 0 && image == last {
				if cuts++; image != "-" {
					t.Errorf("image %s is cut before row %d", image, row)
				}
			}
			last = strings.Clone(image)
			size += len(text)
			row++
		}
		if most := BatchBytes + MaxImageBytes; size > most {
			t.Errorf("a batch has %d bytes of texts, more than %d", size, most)
		}
		rec.Release()
	}
	if row != len(images) {
		t.Errorf("%d rows of %d", row, len(images))
	}
	if cuts == 0 {
		t.Error("the image with 30 MB of texts is in one batch")
	}
}

// A reject keeps the beginning of a text, whole characters of it, and says so.
func TestClippedReject(t *testing.T) {
	short := Reject{Key: "k", Caption: strings.Repeat("é", MaxRejected/2), Reason: "too_long"}
	if r := short; true {
		if r.Clip(); r != short {
			t.Errorf("a caption of %d bytes is cut: %q", len(short.Caption), r.Detail)
		}
	}
	long := Reject{Key: "k", Caption: "x" + strings.Repeat("é", MaxRejected), Reason: "too_long", Detail: "seen"}
	long.Clip()
	if len(long.Caption) != MaxRejected-1 || !strings.HasSuffix(long.Caption, "é") || long.Detail != "seen; 8191 of 16385 bytes of the caption are kept" {
		t.Errorf("%d bytes, %q", len(long.Caption), long.Detail)
	}
}
