//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/testing/bombs"
)

// largeFolder is the folder of a run over the sample corpus, in which the rows of graphs/
// and texts/ are others: so many, with a text of so many bytes each.
func largeFolder(t *testing.T, rows, size int) (dir string) {
	t.Helper()
	dir = workplace(t)
	must(t, program(dir, "out", "--set", "output.shard_rows=1000"))
	text := bombs.Sentence(size)
	pool := schemas.Pool{Positives: []schemas.Positive{{Text: text, Kind: schemas.KindCaption, ID: 1}}, Negatives: []schemas.HardNegative{
		{Text: "the blue" + text[5:], Method: "replace_attribute", Changed: schemas.ChangedAttribute, Category: schemas.CategoryAttribute},
	}}
	parsed := schemas.Parsed{Parser: "test", Confidence: 1}
	rewrite := func(pass folder.Pass, fields []arrow.Field, columns func() []arrow.Array, add func(), own func(i int) []any) {
		schema := arrow.NewSchema(fields, nil)
		name := filepath.Join(dir, "out", folder.DataFile(pass, "train-00000-of-00001"))
		out, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := parquetio.NewWriter(out, schema, parquetio.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields[:len(own(0))], nil))
		defer b.Release()
		for i := range rows {
			for j, v := range own(i) {
				switch v := v.(type) {
				case string:
					b.Field(j).(*array.StringBuilder).Append(v)
				case int:
					b.Field(j).(*array.Int64Builder).Append(int64(v))
				}
			}
			add()
			if i%8 != 7 && i != rows-1 {
				continue
			}
			rec := b.NewRecord()
			err = errors.Join(err, w.Write(array.NewRecord(schema, append(rec.Columns(), columns()...), rec.NumRows())))
			rec.Release()
		}
		if err := errors.Join(err, w.Close(), out.Close()); err != nil {
			t.Fatal(err)
		}
	}
	key := func(i int) string { return fmt.Sprintf("k%05d", i) }
	graphs := schemas.NewParsedBuilder(memory.DefaultAllocator)
	rewrite(folder.PassParse, schemas.GraphsSchema(nil).Fields(), graphs.NewColumns, func() { graphs.Append(&parsed) }, func(i int) []any {
		return []any{key(i), key(i), "", text, "cc12m.tsv", i, text}
	})
	var positives schemas.PositivesBuilder
	var negatives schemas.NegativesBuilder
	columns := func() []arrow.Array { return append(positives.NewColumns(), negatives.NewColumns()...) }
	add := func() {
		if err := errors.Join(positives.Append(pool.Positives), negatives.Append(pool.Negatives)); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(folder.PassTexts, schemas.TextsSchema().Fields(), columns, add, func(i int) []any { return []any{key(i), key(i), "", text} })
	return dir
}

// What reads a folder does not hold more for larger rows.
func TestMemoryOfReadingLargeRows(t *testing.T) {
	dir := largeFolder(t, 1200, 100_000)
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"show", "out", "--key", "k00001"}, 0, "k00001"},
		{[]string{"sample", "out", "-n", "3"}, 0, "replace_attribute"},
		{[]string{"verify", "out", "--workers", "1"}, 1, "1200 rows"}, // the entries are those of other rows
		{[]string{"report", "out", "-o", "report.html"}, 0, "report.html is written"},
		{[]string{"draw", "out", "--epoch", "0", "-o", "epoch.parquet"}, 0, ""},
		{[]string{"draw", "out", "--epoch", "0", "-o", "epoch.jsonl"}, 0, ""},
		{[]string{"export", "out", "--to", "jsonl", "-o", "x.jsonl"}, 0, "1200 of 1200 rows"},
		{[]string{"cat", "out/texts/train-00000-of-00001.parquet", "--limit", "1"}, 0, "k00000"},
	} {
		said, code := checkPeak(t, dir, c.args...)
		if code != c.code || !strings.Contains(said, c.said) {
			t.Errorf("%v: exit code %d: %.300s", c.args, code, said)
		}
	}
}
