package schemas

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"

	"capgraph/internal/parquetio"
)

// The rows of the benchmarks as Go structs, for the baseline: parquet-go's own
// generic writer and reader.
type textsRow struct {
	Key         string    `parquet:"key"`
	ImageKey    string    `parquet:"image_key"`
	Image       string    `parquet:"image"`
	Text        string    `parquet:"text"`
	Pos         []string  `parquet:"pos,list"`
	PosKind     []string  `parquet:"pos_kind,list,dict"`
	PosID       []int64   `parquet:"pos_id,list"`
	Neg         []string  `parquet:"neg,list"`
	NegOf       []int32   `parquet:"neg_of,list,dict"`
	NegMethod   []string  `parquet:"neg_method,list,dict"`
	NegChanged  []string  `parquet:"neg_changed,list,dict"`
	NegCategory []string  `parquet:"neg_category,list,dict"`
	NegScore    []float32 `parquet:"neg_score,list"`
}

type graphsRow struct {
	Key        string     `parquet:"key"`
	ImageKey   string     `parquet:"image_key"`
	Image      string     `parquet:"image"`
	Caption    string     `parquet:"caption"`
	Source     string     `parquet:"source,dict"`
	SourceRow  int64      `parquet:"source_row"`
	Text       string     `parquet:"text"`
	Tokens     []tokenRow `parquet:"tokens,list"`
	Graph      graphRow   `parquet:"graph"`
	Parser     string     `parquet:"parser,dict"`
	Confidence float32    `parquet:"confidence"`
}

type tokenRow struct {
	Begin int32  `parquet:"begin"`
	End   int32  `parquet:"end"`
	Tag   string `parquet:"tag,dict"`
	Lemma string `parquet:"lemma,dict"`
}

type graphRow struct {
	Objects   []objectRow   `parquet:"objects,list"`
	Relations []relationRow `parquet:"relations,list"`
}

type objectRow struct {
	Name       string         `parquet:"name,dict"`
	Head       string         `parquet:"head,dict"`
	Quantity   string         `parquet:"quantity,dict"`
	Attributes []attributeRow `parquet:"attributes,list"`
	Begin      int32          `parquet:"begin"`
	End        int32          `parquet:"end"`
}

type attributeRow struct {
	Text  string `parquet:"text,dict"`
	Form  string `parquet:"form,dict"`
	Begin int32  `parquet:"begin"`
	End   int32  `parquet:"end"`
}

type relationRow struct {
	Subject   int32  `parquet:"subject"`
	Predicate string `parquet:"predicate,dict"`
	Lemma     string `parquet:"lemma,dict"`
	Object    int32  `parquet:"object"`
	Begin     int32  `parquet:"begin"`
	End       int32  `parquet:"end"`
}

var benchWords = strings.Fields(`a the two brown red dog cat man woman bus street table sitting standing next to on top of
	in front wooden old young riding holding near large small green field water grass people group playing tennis frisbee kitchen`)

func caption(r *rand.Rand, words int) string {
	b := make([]string, words)
	for i := range b {
		b[i] = benchWords[r.IntN(len(benchWords))]
	}
	return strings.Join(b, " ")
}

// textsRows are rows with 16 positives and 32 negatives of captions' length.
func textsRows(n int) []textsRow {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]textsRow, n)
	for i := range rows {
		row := &rows[i]
		row.Key, row.ImageKey = fmt.Sprint(i), fmt.Sprint(i/5)
		row.Image, row.Text = fmt.Sprintf("http://images.cocodataset.org/val2017/%012d.jpg", i/5), caption(r, 10)
		for j := range 16 {
			row.Pos = append(row.Pos, caption(r, 3+j%6))
			row.PosKind = append(row.PosKind, []string{KindCaption, KindObject, KindRelation}[min(j, 1+j%2)])
			row.PosID = append(row.PosID, int64(r.Uint64()))
		}
		for j := range 32 {
			row.Neg = append(row.Neg, caption(r, 3+j%8))
			row.NegOf = append(row.NegOf, int32(j/2))
			row.NegMethod = append(row.NegMethod, []string{"swap_objects", "replace_attribute", "replace_relation"}[r.IntN(3)])
			row.NegChanged = append(row.NegChanged, ChangedAttribute)
			row.NegCategory = append(row.NegCategory, CategoryAttribute)
			row.NegScore = append(row.NegScore, r.Float32())
		}
	}
	return rows
}

// graphsRows are rows with ten tokens, three objects and two relations.
func graphsRows(n int) []graphsRow {
	r := rand.New(rand.NewPCG(1, 1))
	word := func() string { return benchWords[r.IntN(len(benchWords))] }
	rows := make([]graphsRow, n)
	for i := range rows {
		row := &rows[i]
		row.Key, row.ImageKey = fmt.Sprint(i), fmt.Sprint(i/5)
		row.Image, row.Text = fmt.Sprintf("http://images.cocodataset.org/val2017/%012d.jpg", i/5), caption(r, 10)
		row.Caption, row.Source, row.SourceRow = row.Text, "captions_val2017.json", int64(i)
		row.Parser, row.Confidence = "rule/1", r.Float32()
		for j := range int32(10) {
			row.Tokens = append(row.Tokens, tokenRow{5 * j, 5*j + 4, "NN", word()})
		}
		for j := range int32(3) {
			name := word()
			row.Graph.Objects = append(row.Graph.Objects, objectRow{name, name, "", []attributeRow{{word(), Pre, j, j + 3}}, j, j + 8})
		}
		for j := range int32(2) {
			row.Graph.Relations = append(row.Graph.Relations, relationRow{j, "sitting on", "sit on", j + 1, 10, 20})
		}
	}
	return rows
}

// structsFile is what parquet-go's generic writer makes of the rows.
func structsFile[T any](b testing.TB, w io.Writer, rows []T, options ...parquet.WriterOption) {
	pw := parquet.NewGenericWriter[T](w, append(options, parquet.Compression(&parquet.Zstd))...)
	for i := 0; i < len(rows); i += parquetio.DefaultBatchRows {
		if _, err := pw.Write(rows[i:min(i+parquetio.DefaultBatchRows, len(rows))]); err != nil {
			b.Fatal(err)
		}
	}
	if err := pw.Close(); err != nil {
		b.Fatal(err)
	}
}

func batchesOf(b testing.TB, file []byte) (schema *arrow.Schema, batches []arrow.Record) {
	r, err := parquetio.NewReader(bytes.NewReader(file), int64(len(file)), parquetio.ReaderOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return r.Schema(), batches
		}
		if err != nil {
			b.Fatal(err)
		}
		batches = append(batches, rec)
	}
}

func benchmarkRows[T any](b *testing.B, rows []T) {
	var file bytes.Buffer
	structsFile(b, &file, rows)
	schema, batches := batchesOf(b, file.Bytes())
	report := func(b *testing.B, size int) {
		b.ReportMetric(float64(len(rows))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		b.ReportMetric(float64(size)/float64(len(rows)), "B/row")
		b.ReportAllocs()
	}
	ours := inParquet(b, schema, batches)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			w, err := parquetio.NewWriter(io.Discard, schema, parquetio.WriterOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for _, rec := range batches {
				if err := w.Write(rec); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		report(b, len(ours))
	})
	b.Run("write-baseline-structs", func(b *testing.B) {
		for b.Loop() {
			structsFile(b, io.Discard, rows)
		}
		report(b, file.Len())
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			r, err := parquetio.NewReader(bytes.NewReader(ours), int64(len(ours)), parquetio.ReaderOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for {
				rec, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				rec.Release()
			}
			r.Close()
		}
		report(b, len(ours))
	})
	b.Run("read-baseline-structs", func(b *testing.B) {
		buffer := make([]T, parquetio.DefaultBatchRows)
		for b.Loop() {
			r := parquet.NewGenericReader[T](bytes.NewReader(file.Bytes()))
			for {
				if _, err := r.Read(buffer); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
			r.Close()
		}
		report(b, file.Len())
	})
}

func BenchmarkTexts(b *testing.B)  { benchmarkRows(b, textsRows(8192)) }
func BenchmarkGraphs(b *testing.B) { benchmarkRows(b, graphsRows(32768)) }

// Small nested rows of about 300 bytes: parquet-go's own measure.
func BenchmarkTokens(b *testing.B) {
	type row struct {
		Key    string     `parquet:"key"`
		Text   string     `parquet:"text"`
		Tokens []tokenRow `parquet:"tokens,list"`
	}
	var rows []row
	for _, g := range graphsRows(65536) {
		rows = append(rows, row{g.Key, g.Text, g.Tokens})
	}
	benchmarkRows(b, rows)
}

func inParquet(b *testing.B, schema *arrow.Schema, batches []arrow.Record) []byte {
	var file bytes.Buffer
	w, err := parquetio.NewWriter(&file, schema, parquetio.WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, rec := range batches {
		if err := w.Write(rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}
