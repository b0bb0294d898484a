package parquetio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// smallLimits keep a fuzzed file from asking for much.
var smallLimits = Limits{FooterBytes: 1 << 20, PageBytes: 1 << 20, PageValues: 1 << 18}

// readAll reads a file to its end or first error.
func readAll(t testing.TB, file []byte, from int64) (rows int64, err error) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t.(memory.TestingT), 0)
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{Mem: mem, Limits: smallLimits})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if from > 0 {
		if err := r.SeekToRow(from); err != nil {
			return 0, err
		}
	}
	var line []byte
	for rows < 1<<16 {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows += rec.NumRows()
		for i := range int(rec.NumRows()) {
			line = AppendRowJSON(line[:0], rec, i)
		}
		rec.Release()
	}
	return rows, nil
}

func damagedSeeds(t testing.TB) (files [][]byte) {
	names, err := filepath.Glob("testdata/parquet/*.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	schema := everyType()
	return append(files, writeRecords(t, schema, WriterOptions{}, randomRecord(memory.DefaultAllocator, schema, 20, 1)))
}

// A disk that is full or failing leaves such files behind.
func TestCutOffFileIsAnError(t *testing.T) {
	for _, file := range damagedSeeds(t) {
		for _, n := range []int{0, 1, 4, 11, 12, len(file) / 4, len(file) / 2, len(file) - 9, len(file) - 1} {
			if _, err := readAll(t, file[:n], 0); err == nil {
				t.Errorf("%d of %d bytes were read without an error", n, len(file))
			}
		}
	}
}

func TestFlippedBitsDoNotPanic(t *testing.T) {
	for _, file := range damagedSeeds(t) {
		for at := 0; at < len(file); at += 113 {
			bad := bytes.Clone(file)
			bad[at] ^= 1 << (at % 8)
			readAll(t, bad, 0)
		}
	}
}

// What we write has checksums: a flipped bit in a page never becomes a wrong value.
func TestFlippedBitInAPageIsAnError(t *testing.T) {
	schema := everyType()
	file := writeRecords(t, schema, WriterOptions{}, randomRecord(memory.DefaultAllocator, schema, 100, 1))
	at := bytes.Index(file, []byte("\x28\xb5\x2f\xfd")) + 6 // in the first zstd frame
	file[at] ^= 4
	if _, err := readAll(t, file, 0); err == nil || !strings.Contains(err.Error(), `column "r0", row group 0`) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	for _, file := range damagedSeeds(f) {
		f.Add(file, int64(0))
	}
	for _, b := range bombFiles(f) {
		f.Add(b.file, int64(1))
	}
	f.Fuzz(func(t *testing.T, file []byte, from int64) { readAll(t, file, from) })
}

func TestPageThatUnpacksToMoreThanItSays(t *testing.T) {
	plain := make([]byte, 4<<20)
	pack := map[format.CompressionCodec]func() []byte{
		format.Zstd: func() []byte { // as a stream: the frame does not say its size
			var b bytes.Buffer
			w, _ := zstd.NewWriter(&b)
			w.Write(plain[:1<<20])
			w.Flush()
			w.Write(plain[1<<20:])
			w.Close()
			return b.Bytes()
		},
		format.Snappy: func() []byte { return snappy.Encode(nil, plain) },
		format.Gzip: func() []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(plain)
			w.Close()
			return b.Bytes()
		},
		format.Brotli: func() []byte {
			var b bytes.Buffer
			w := brotli.NewWriter(&b)
			w.Write(plain)
			w.Close()
			return b.Bytes()
		},
		format.Lz4Raw: func() []byte {
			b := make([]byte, lz4.CompressBlockBound(len(plain)))
			n, _ := lz4.CompressBlock(plain, b, nil)
			return b[:n]
		},
	}
	var u decompressor
	defer u.close()
	for codec, f := range pack {
		data, size := f(), len(plain)
		if _, err := u.decompress(nil, codec, data, size); err != nil {
			t.Errorf("%s: %v", codec, err)
		}
		for _, claim := range []int{0, 1, size - 1, size + 1} {
			if _, err := u.decompress(make([]byte, 2*size), codec, data, claim); err == nil {
				t.Errorf("%s: %d bytes passed for %d", codec, size, claim)
			}
		}
		for n := range min(len(data), 40) {
			if _, err := u.decompress(nil, codec, data[:n], size); err == nil {
				t.Errorf("%s: %d of %d bytes were unpacked", codec, n, len(data))
			}
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	text := arrow.NewSchema([]arrow.Field{field("caption", arrow.BinaryTypes.String)}, nil)
	write := func(values ...any) error {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for _, v := range values {
			if v == nil {
				b.AppendNull()
			} else {
				b.Append(v.(string))
			}
		}
		w, err := NewWriter(io.Discard, text, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return w.Write(array.NewRecord(text, []arrow.Array{b.NewArray()}, int64(len(values))))
	}
	number := arrow.NewSchema([]arrow.Field{field("caption", arrow.PrimitiveTypes.Int64)}, nil)
	w, _ := NewWriter(io.Discard, number, WriterOptions{})
	schema := func(t arrow.DataType) error {
		_, err := NewWriter(io.Discard, arrow.NewSchema([]arrow.Field{field("x", t)}, nil), WriterOptions{})
		return err
	}
	for want, err := range map[string]error{
		`row 1: column "caption": "caf\xe9" is not UTF-8`:        write("café", "caf\xe9"),
		`row 0: column "caption": "é\xc3" is not UTF-8`:          write("é\xc3", "\xa9"),
		`row 2: column "caption": a null in a column that can't`: write("a", "b", nil),
		`column "caption": the file has int64, the batch utf8`:   w.Write(array.NewRecord(text, []arrow.Array{array.NewStringBuilder(memory.DefaultAllocator).NewArray()}, 0)),
		`column "x": type null can't be written`:                 schema(arrow.Null),
		`column "x": Parquet has no struct without fields`:       schema(arrow.StructOf()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := NewWriter(io.Discard, arrow.NewSchema(nil, nil), WriterOptions{}); err == nil {
		t.Error("a file without columns")
	}
}

func TestColumnOfAnotherTypeIsAnError(t *testing.T) {
	schema := everyType()
	file := writeRecords(t, schema, WriterOptions{}, randomRecord(memory.DefaultAllocator, schema, 1, 1))
	open := func(o ReaderOptions) error {
		_, err := NewReader(bytes.NewReader(file), int64(len(file)), o)
		return err
	}
	err := open(ReaderOptions{Columns: []string{"r0"}, Types: []arrow.Field{field("r0", arrow.PrimitiveTypes.Int64)}})
	if err == nil || err.Error() != `column "r0": want int64, the file has utf8` {
		t.Error(err)
	}
	if err := open(ReaderOptions{Columns: []string{"graph"}, Types: []arrow.Field{field("graph", graphType()), field("r0", arrow.Null)}}); err != nil {
		t.Error(err)
	}
}

func TestRowGroupsAndMetadata(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{field("text", arrow.BinaryTypes.String), field("n", arrow.PrimitiveTypes.Int64)}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range 1000 {
		b.Field(0).(*array.StringBuilder).Append(strings.Repeat("x", 1000-16))
		b.Field(1).(*array.Int64Builder).Append(int64(i))
	}
	rec := b.NewRecord()
	for _, c := range []struct {
		o      WriterOptions
		groups int
	}{{WriterOptions{}, 1}, {WriterOptions{RowGroupRows: 300}, 4}, {WriterOptions{RowGroupBytes: 100_000}, 10}, {WriterOptions{RowGroupBytes: 99_999}, 11}, {WriterOptions{RowGroupBytes: 1}, 1000}} {
		c.o.Metadata = map[string]string{"version": "1", "plan": "ab12"}
		file := writeRecords(t, schema, c.o, rec)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.file.file.RowGroups()); n != c.groups {
			t.Errorf("%+v: %d row groups, want %d", c.o, n, c.groups)
		}
		if m := r.Metadata(); len(m) != 2 || m["version"] != "1" || m["plan"] != "ab12" {
			t.Errorf("metadata %v", m)
		}
		r.Close()
	}
}
