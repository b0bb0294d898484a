package parquetio

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/testing/hubchunks"
	"capgraph/testing/longtest"
)

// captionRows are rows as graphs/ has them: a text, its tokens and numbers about them. Row i
// depends on seed and i alone.
func captionRows(rows int, seed uint64) arrow.Record {
	token := arrow.StructOf(field("begin", arrow.PrimitiveTypes.Int32), field("tag", arrow.BinaryTypes.String), field("lemma", arrow.BinaryTypes.String),
		field("quality", arrow.PrimitiveTypes.Float32))
	schema := arrow.NewSchema([]arrow.Field{field("url", arrow.BinaryTypes.String), field("text", arrow.BinaryTypes.String),
		field("tokens", arrow.ListOfNonNullable(token)), field("ids", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int64))}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	tokens, ids := b.Field(2).(*array.ListBuilder), b.Field(3).(*array.ListBuilder)
	one := tokens.ValueBuilder().(*array.StructBuilder)
	words := make([]string, 8)
	for i := range rows {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		tokens.Append(true)
		ids.Append(true)
		for j := range words {
			words[j] = fmt.Sprintf("w%d", int(r.ExpFloat64()*300))
			one.Append(true)
			one.FieldBuilder(0).(*array.Int32Builder).Append(int32(5 * j))
			one.FieldBuilder(1).(*array.StringBuilder).Append([]string{"NN", "VB", "DT", "IN"}[r.IntN(4)])
			one.FieldBuilder(2).(*array.StringBuilder).Append(words[j])
			one.FieldBuilder(3).(*array.Float32Builder).Append(r.Float32())
			ids.ValueBuilder().(*array.Int64Builder).Append(int64(r.Uint64()))
		}
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("http://images/%x.jpg", r.Uint64()))
		b.Field(1).(*array.StringBuilder).Append(strings.Join(words, " "))
	}
	return b.NewRecord()
}

var cutByText = WriterOptions{CutBy: "text", Distinct: []string{"url", "text", "ids"}}

// After a change of a tenth of a file's rows the Hub has the rest of its bytes: those of a file
// that grew, that had rows replaced, removed or inserted.
func TestHubHasWhatDidNotChange(t *testing.T) {
	longtest.Only(t, "it writes ten files of a whole shard")
	const rows, tenth = DefaultRowGroupRows, DefaultRowGroupRows / 10
	whole, others := captionRows(rows, 1), captionRows(tenth, 2)
	defer whole.Release()
	defer others.Release()
	write := func(o WriterOptions, parts ...arrow.Record) []byte {
		return writeRecords(t, whole.Schema(), o, parts...)
	}
	before, uncut := write(cutByText, whole), write(WriterOptions{}, whole)
	changed := map[string][]arrow.Record{
		"appended": {whole, others},
		"replaced": {whole.NewSlice(0, 20_000), others, whole.NewSlice(20_000+tenth, rows)},
		"removed":  {whole.NewSlice(0, 40_000), whole.NewSlice(40_000+tenth, rows)},
		"inserted": {others, whole},
	}
	for name, parts := range changed {
		after := write(cutByText, parts...)
		share, without := hubchunks.Share(before, after), hubchunks.Share(uncut, write(WriterOptions{}, parts...))
		t.Logf("a tenth of the rows %s: %.1f %% of the bytes are there, without CutBy %.1f", name, 100*share, 100*without)
		if share < 0.85 || share < without && name != "appended" {
			t.Errorf("a tenth of the rows %s: %.1f %%, want 85 and more than without", name, 100*share)
		}
	}
}

// Row groups end by the texts, within limits, whatever the batches.
func TestCutBy(t *testing.T) {
	groups := func(texts func(i int) string, rows, batch int) (sizes []int64) {
		schema := arrow.NewSchema([]arrow.Field{field("text", arrow.BinaryTypes.String)}, nil)
		var recs []arrow.Record
		for from := 0; from < rows; from += batch {
			b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
			for i := from; i < min(from+batch, rows); i++ {
				b.Field(0).(*array.StringBuilder).Append(texts(i))
			}
			recs = append(recs, b.NewRecord())
			b.Release()
		}
		file := writeRecords(t, schema, WriterOptions{CutBy: "text"}, recs...)
		f, err := NewReader(bytes.NewReader(file), int64(len(file)), ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, g := range f.file.file.Metadata().RowGroups {
			sizes = append(sizes, g.NumRows)
		}
		return sizes
	}
	distinct := func(i int) string { return fmt.Sprint("caption ", i) }
	many := groups(distinct, 40_000, 1000)
	if got := groups(distinct, 40_000, 777); fmt.Sprint(got) != fmt.Sprint(many) {
		t.Errorf("in batches of 777 rows the groups are %v, of 1,000 %v", got, many)
	}
	for i, n := range many {
		if n > cutMost || n < cutLeast && i < len(many)-1 {
			t.Errorf("group %d has %d rows", i, n)
		}
	}
	if len(many) < 8 || len(many) > 32 {
		t.Errorf("40,000 rows are %d groups", len(many))
	}
	if got := groups(func(int) string { return "the same" }, 20_000, 1000); fmt.Sprint(got) != "[8192 8192 3616]" {
		t.Errorf("equal texts: groups of %v", got)
	}
	if got := groups(func(int) string { return "" }, (cutGroups+1)*cutMost+1, 1<<16); len(got) != cutGroups+1 || got[cutGroups] != cutMost+1 {
		t.Errorf("a large file has %d groups, the last of %d rows", len(got), got[len(got)-1])
	}
	if got := groups(distinct, 1, 1); fmt.Sprint(got) != "[1]" {
		t.Errorf("one row: %v", got)
	}
	if got := groups(distinct, 0, 1); len(got) != 0 {
		t.Errorf("no row: %v", got)
	}
	for _, name := range []string{"nothing", "n"} {
		schema := arrow.NewSchema([]arrow.Field{field("n", arrow.PrimitiveTypes.Int64)}, nil)
		if _, err := NewWriter(&bytes.Buffer{}, schema, WriterOptions{CutBy: name}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("column %q", name)) {
			t.Errorf("CutBy %s: %v", name, err)
		}
	}
}
