package parquetio

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// everyType is a schema with all types that can be written, nullable and not,
// and lists and structs inside each other.
func everyType() *arrow.Schema {
	var fields []arrow.Field
	leaf := []arrow.DataType{
		arrow.BinaryTypes.String, arrow.BinaryTypes.Binary, arrow.FixedWidthTypes.Boolean,
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Date32,
		arrow.FixedWidthTypes.Timestamp_us, &arrow.TimestampType{Unit: arrow.Millisecond}, arrow.FixedWidthTypes.Timestamp_ns,
		&arrow.FixedSizeBinaryType{ByteWidth: 5}, &arrow.Decimal128Type{Precision: 20, Scale: 3},
	}
	for i, t := range leaf {
		null := arrow.Field{Name: "element", Type: t, Nullable: true}
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("r%d", i), Type: t},
			arrow.Field{Name: fmt.Sprintf("n%d", i), Type: t, Nullable: true},
			arrow.Field{Name: fmt.Sprintf("l%d", i), Type: listOf(t)},
			arrow.Field{Name: fmt.Sprintf("ln%d", i), Type: arrow.ListOfField(null), Nullable: true})
	}
	inner := arrow.StructOf(arrow.Field{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
		field("ll", listOf(listOf(arrow.PrimitiveTypes.Int32))))
	deep := arrow.StructOf(field("a", arrow.BinaryTypes.String),
		arrow.Field{Name: "b", Type: arrow.ListOfField(arrow.Field{Name: "element", Type: inner, Nullable: true}), Nullable: true},
		arrow.Field{Name: "c", Type: inner, Nullable: true})
	fields = append(fields, field("tokens", tokensType()), field("graph", graphType()),
		arrow.Field{Name: "deep", Type: listOf(deep), Nullable: true})
	return arrow.NewSchema(fields, nil)
}

func field(name string, t arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: t} }

func listOf(t arrow.DataType) *arrow.ListType {
	return arrow.ListOfField(arrow.Field{Name: "element", Type: t})
}

// tokensType and graphType are lists of structs, and structs of such lists.
func tokensType() *arrow.ListType {
	s, i := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	return listOf(arrow.StructOf(field("begin", i), field("end", i), field("tag", s), field("lemma", s)))
}

func graphType() *arrow.StructType {
	s, i := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	attribute := arrow.StructOf(field("text", s), field("begin", i), field("end", i))
	object := arrow.StructOf(field("name", s), field("attributes", listOf(attribute)), field("begin", i))
	relation := arrow.StructOf(field("subject", i), field("predicate", s), field("object", i))
	return arrow.StructOf(field("objects", listOf(object)), field("relations", listOf(relation)))
}

// randomRecord fills a batch. Lists of every length up to 4 occur, and nulls
// where they may.
func randomRecord(mem memory.Allocator, schema *arrow.Schema, rows int, seed uint64) arrow.Record {
	r := rand.New(rand.NewPCG(seed, 1))
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for range rows {
		for i, f := range schema.Fields() {
			appendRandom(r, b.Field(i), f)
		}
	}
	return b.NewRecord()
}

func appendRandom(r *rand.Rand, b array.Builder, f arrow.Field) {
	if f.Nullable && r.IntN(4) == 0 {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.ListBuilder:
		b.Append(true)
		for range r.IntN(5) {
			appendRandom(r, b.ValueBuilder(), f.Type.(*arrow.ListType).ElemField())
		}
	case *array.StructBuilder:
		b.Append(true)
		for i, g := range f.Type.(*arrow.StructType).Fields() {
			appendRandom(r, b.FieldBuilder(i), g)
		}
	case *array.StringBuilder:
		b.Append([]string{"", "a", "ein Hund", "häßlich 🐕", strings.Repeat("long ", r.IntN(50))}[r.IntN(5)] + fmt.Sprint(r.IntN(1000)))
	case *array.BinaryBuilder:
		b.Append([]byte{byte(r.Uint32()), 0, 255}[:r.IntN(4)])
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte{1, byte(r.Uint32()), 3, 4, 255})
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(r.Int64N(1<<40) - 1<<39))
	case *array.BooleanBuilder:
		b.Append(r.IntN(2) == 0)
	case *array.Date32Builder:
		b.Append(arrow.Date32(r.IntN(40000) - 20000))
	default:
		if err := b.AppendValueFromString(fmt.Sprint(r.IntN(100))); err != nil {
			panic(err)
		}
	}
}

func writeRecords(t testing.TB, schema *arrow.Schema, o WriterOptions, records ...arrow.Record) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func readTable(t testing.TB, file []byte, o ReaderOptions) arrow.Table {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return restOf(t, r)
}

func restOf(t testing.TB, r *Reader) arrow.Table {
	t.Helper()
	var records []arrow.Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Release()
		records = append(records, rec)
	}
	return array.NewTableFromRecords(r.Schema(), records)
}

func sameTable(t *testing.T, got arrow.Table, want arrow.Record) {
	t.Helper()
	table := array.NewTableFromRecords(want.Schema(), []arrow.Record{want})
	defer table.Release()
	if !got.Schema().Equal(table.Schema()) {
		t.Fatalf("schema:\n%s\nwant\n%s", got.Schema(), table.Schema())
	}
	if got.NumRows() != table.NumRows() {
		t.Fatalf("%d rows, want %d", got.NumRows(), table.NumRows())
	}
	if array.TableEqual(got, table) {
		return
	}
	for i := range int(table.NumCols()) {
		if !array.ChunkedEqual(got.Column(i).Data(), table.Column(i).Data()) {
			t.Errorf("column %q:\n%v\nwant\n%v", want.ColumnName(i), got.Column(i).Data().Chunks(), want.Column(i))
		}
	}
	t.Fatal("the tables differ")
}

func TestRoundTrip(t *testing.T) {
	for _, rows := range []int{0, 1, 64, 65, 450} {
		for _, batch := range []int{0, 1, 7} {
			t.Run(fmt.Sprintf("%d rows in batches of %d", rows, batch), func(t *testing.T) {
				mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
				defer mem.AssertSize(t, 0)
				schema := everyType()
				rec := randomRecord(mem, schema, rows, 7)
				defer rec.Release()
				file := writeRecords(t, schema, WriterOptions{RowGroupRows: 200}, rec)
				got := readTable(t, file, ReaderOptions{BatchRows: batch, Mem: mem})
				defer got.Release()
				sameTable(t, got, rec)
			})
		}
	}
}

// A user re-runs with other batch sizes and worker counts and compares files.
func TestBytesDoNotDependOnBatches(t *testing.T) {
	schema := everyType()
	rec := randomRecord(memory.DefaultAllocator, schema, 600, 3)
	for _, o := range []WriterOptions{{}, {RowGroupRows: 250}, {RowGroupBytes: 100_000}, {RowGroupRows: 1}} {
		if o.RowGroupRows == 1 {
			rec = rec.NewSlice(0, 50)
		}
		o.Metadata = map[string]string{"b": "2", "a": "1", "c": "3"}
		want := writeRecords(t, schema, o, rec)
		for _, step := range []int64{1, 13, 64, 250} {
			var parts []arrow.Record
			for i := int64(0); i < rec.NumRows(); i += step {
				parts = append(parts, rec.NewSlice(i, min(i+step, rec.NumRows())))
			}
			if got := writeRecords(t, schema, o, parts...); !bytes.Equal(got, want) {
				t.Errorf("%+v: batches of %d rows make other bytes than one batch", o, step)
			}
		}
	}
}

// Enough text that dictionaries grow too large, in each of several row groups.
func TestManyPagesAndFullDictionaries(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true}, field("pos", listOf(arrow.BinaryTypes.String))}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	texts, pos := b.Field(0).(*array.StringBuilder), b.Field(1).(*array.ListBuilder)
	for i := range 20_000 {
		if i%7 == 0 {
			texts.AppendNull()
		} else {
			texts.Append(fmt.Sprintf("caption %d of an image with a dog and a cat on a couch", i))
		}
		pos.Append(true)
		for j := range i % 4 {
			pos.ValueBuilder().(*array.StringBuilder).Append(fmt.Sprintf("positive %d of caption %d", j, i))
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	o := WriterOptions{RowGroupRows: 9000}
	file := writeRecords(t, schema, o, rec)
	got := readTable(t, file, ReaderOptions{BatchRows: 999})
	defer got.Release()
	sameTable(t, got, rec)
	var parts []arrow.Record
	for i := int64(0); i < rec.NumRows(); i += 1234 {
		parts = append(parts, rec.NewSlice(i, min(i+1234, rec.NumRows())))
	}
	if !bytes.Equal(file, writeRecords(t, schema, o, parts...)) {
		t.Error("batches of 1234 rows make other bytes than one batch")
	}
}
