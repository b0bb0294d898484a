package parquetio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/parquet-go/parquet-go/format"

	"capgraph/testing/bombs"
)

// peak is an allocator that remembers how much it had given out at most.
type peak struct {
	memory.Allocator
	now, most int
}

func (p *peak) change(by int) {
	p.now += by
	p.most = max(p.most, p.now)
}

func (p *peak) Allocate(n int) []byte {
	b := p.Allocator.Allocate(n)
	p.change(cap(b))
	return b
}

func (p *peak) Reallocate(n int, old []byte) []byte {
	b := p.Allocator.Reallocate(n, old)
	p.change(cap(b)) // both are there while one is copied
	p.change(-cap(old))
	return b
}

func (p *peak) Free(b []byte) {
	p.change(-cap(b))
	p.Allocator.Free(b)
}

// A string that the file has once, in the dictionary, may stand in every row: a batch
// ends at its bytes, and no row is lost.
func TestBatchEndsAtItsBytes(t *testing.T) {
	for _, c := range []struct{ size, rows, inBatch int }{
		{900_000, 2000, 9},
		{100_000, 5000, 83},
		{10_000_000, 400, 1}, // more than a batch: one row
		{100, 3000, 1024},    // as without a bound
	} {
		file, err := bombs.Parquet(c.rows, bombs.Column{Name: "caption", Size: c.size})
		if err != nil {
			t.Fatal(err)
		}
		mem := &peak{Allocator: memory.DefaultAllocator}
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{Mem: mem})
		if err != nil {
			t.Fatal(err)
		}
		want, rows := bombs.Sentence(c.size), 0
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			captions := rec.Column(0).(*array.String)
			if n := captions.Len(); n != min(c.inBatch, c.rows-rows) {
				t.Fatalf("%d rows of %d bytes: a batch has %d rows, want %d", c.rows, c.size, n, c.inBatch)
			}
			if last := captions.Value(captions.Len() - 1); last != want {
				t.Fatalf("a text of %d bytes is another", c.size)
			}
			rows += captions.Len()
			rec.Release()
		}
		r.Close()
		if rows != c.rows {
			t.Errorf("%d rows of %d", rows, c.rows)
		}
		if mem.most > 40<<20 {
			t.Errorf("%d rows of %d bytes, a file of %d bytes: %d MB were allocated at one time", c.rows, c.size, len(file), mem.most>>20)
		}
	}
}

// Small batches have the rows of large ones, whatever the types and wherever pages end.
func TestSmallBatchesHaveTheSameRows(t *testing.T) {
	schema := everyType()
	rec := randomRecord(memory.DefaultAllocator, schema, 150, 7)
	defer rec.Release()
	file := writeRecords(t, schema, WriterOptions{RowGroupRows: 100}, rec)
	for _, size := range []int64{1, 1000, 30_000} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		got := readTable(t, file, ReaderOptions{BatchBytes: size, Mem: mem})
		sameTable(t, got, rec)
		got.Release()
		mem.AssertSize(t, 0)
	}
}

// A row of more bytes than a row may have is an error that names it, and the rows
// beside it are read.
func TestLargeRow(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{field("n", arrow.PrimitiveTypes.Int64), field("text", arrow.BinaryTypes.String)}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	large := []int64{0, 7, 8, 99}
	for i := range int64(100) {
		b.Field(0).(*array.Int64Builder).Append(i)
		n := 10
		if slices.Contains(large, i) {
			n = 5000
		}
		b.Field(1).(*array.StringBuilder).Append(strings.Repeat("x", n))
	}
	rec := b.NewRecord()
	defer rec.Release()
	file := writeRecords(t, schema, WriterOptions{RowGroupRows: 40}, rec)
	for _, from := range []int64{0, 8, 50} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{RowBytes: 1000, BatchBytes: 300, Mem: mem})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.SeekToRow(from); err != nil {
			t.Fatal(err)
		}
		var got, refused []int64
		for {
			rec, err := r.Next()
			var e *LargeRowError
			if errors.As(err, &e) {
				refused = append(refused, e.Row)
				continue
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec.Column(0).(*array.Int64).Int64Values()...)
			rec.Release()
		}
		var want, wantRefused []int64
		for i := from; i < 100; i++ {
			if slices.Contains(large, i) {
				wantRefused = append(wantRefused, i)
			} else {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) || !slices.Equal(refused, wantRefused) {
			t.Errorf("from row %d: read %v, refused %v", from, got, refused)
		}
		r.Close()
		mem.AssertSize(t, 0)
	}
}

// runsOf are levels: pairs of how many and which.
func runsOf(pairs ...int) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		b = append(binary.AppendUvarint(b, uint64(pairs[i])<<1), byte(pairs[i+1]))
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// A list may go on from page to page, each of which a few bytes stand for. It is
// refused with its row alone, also in the middle of a batch.
func TestLargeRowOverPages(t *testing.T) {
	const in = 1 << 20 // of a page
	text := []byte{1, 0, 0, 0, 'x'}
	page := func(levels []byte, n int) []byte {
		body := append(levels, runsOf(n, 1)...)
		body = append(append(body, 1), binary.AppendUvarint(nil, uint64(n)<<1)...)
		return v1(t, int32(n), format.RLEDictionary, len(body)+1, append(body, 0))
	}
	h := &format.PageHeader{Type: format.DictionaryPage, CompressedPageSize: int32(len(text)), UncompressedPageSize: int32(len(text))}
	h.DictionaryPageHeader.V, h.DictionaryPageHeader.Valid = format.DictionaryPageHeader{NumValues: 1}, true
	pages := [][]byte{append(thriftBytes(t, h), text...)}
	// Two rows of one element, the beginning of a third, …
	pages = append(pages, page(runsOf(3, 0), 3))
	for range 40 { // … which goes on, …
		pages = append(pages, page(runsOf(in, 1), in))
	}
	pages = append(pages, page(runsOf(5, 1, 2, 0), 7)) // … and two more rows.
	file := manyValues(t, format.Repeated, format.Uncompressed, 5, 3+40*in+7, pages...)
	mem := &peak{Allocator: memory.DefaultAllocator}
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{RowBytes: 16 << 20, Mem: mem})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			got = append(got, err.Error())
			var large *LargeRowError
			if !errors.As(err, &large) {
				break
			}
			continue
		}
		got = append(got, fmt.Sprint(rec.Column(0)))
		rec.Release()
	}
	r.Close()
	want := []string{`[["x"] ["x"]]`, "row 2 has more than 16777216 bytes", `[["x"] ["x"]]`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if mem.most > 64<<20 {
		t.Errorf("%d MB were allocated at one time for a file of %d bytes", mem.most>>20, len(file))
	}
}

// The pages that the columns hold are bounded together.
func TestPagesOfAllColumns(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{field("a", arrow.BinaryTypes.String), field("b", arrow.BinaryTypes.String)}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range 2 {
		b.Field(i).(*array.StringBuilder).Append(strings.Repeat("x", 100_000))
	}
	rec := b.NewRecord()
	defer rec.Release()
	file := writeRecords(t, schema, WriterOptions{}, rec)
	read := func(columns ...string) error {
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{Columns: columns, Limits: Limits{HeldBytes: 150_000}})
		if err != nil {
			return err
		}
		defer r.Close()
		rec, err := r.Next()
		if err == nil {
			rec.Release()
		}
		return err
	}
	if err := errors.Join(read("a"), read("b")); err != nil {
		t.Error(err)
	}
	if err := read("a", "b"); err == nil || !strings.Contains(err.Error(), "more than 150000 bytes: read fewer columns") {
		t.Error(err)
	}
}

// A writer keeps nothing of the values of row groups that are written.
func TestWriterLetsGoOfLargeValues(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{field("text", arrow.BinaryTypes.String)}, nil)
	w, err := NewWriter(io.Discard, schema, WriterOptions{RowGroupBytes: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	write := func(groups int) uint64 {
		for range groups {
			b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
			for range 8 {
				n++
				b.Field(0).(*array.StringBuilder).Append(fmt.Sprint(n, strings.Repeat("x", 250_000)))
			}
			rec := b.NewRecord()
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
			rec.Release()
			b.Release()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	few := write(5)
	if many := write(20); many > few+32<<20 {
		t.Errorf("the heap grew from %d to %d MB while 40 MB were written", few>>20, many>>20)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
