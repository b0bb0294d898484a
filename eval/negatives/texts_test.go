package negatives

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// texts returns a batch of texts/ with a row for each pool; the key is its number.
func texts(pools ...schemas.Pool) arrow.Record {
	schema := schemas.TextsSchema()
	columns := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(schema.Fields()[:4], nil))
	var positives schemas.PositivesBuilder
	var negatives schemas.NegativesBuilder
	for i, p := range pools {
		for j, s := range []string{fmt.Sprint(i), "i", "i.jpg", "A red bus."} {
			columns.Field(j).(*array.StringBuilder).Append(s)
		}
		if err := errors.Join(positives.Append(p.Positives), negatives.Append(p.Negatives)); err != nil {
			panic(err)
		}
	}
	all := append(columns.NewRecord().Columns(), positives.NewColumns()...)
	return array.NewRecord(schema, append(all, negatives.NewColumns()...), int64(len(pools)))
}

// replace returns rec with another column of that name.
func replace(rec arrow.Record, name string, column arrow.Array) arrow.Record {
	return schemas.Assign(rec, []arrow.Field{{Name: name, Type: column.DataType()}}, []arrow.Array{column})
}

func column(rec arrow.Record, name string) arrow.Array {
	return rec.Column(rec.Schema().FieldIndices(name)[0])
}

// parquetOf returns a Parquet file of a batch.
func parquetOf(t testing.TB, rec arrow.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquetio.NewWriter(&b, rec.Schema(), parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pool has two positives, and a negative of the one at of.
func pool(of int16) schemas.Pool {
	return schemas.Pool{
		Positives: []schemas.Positive{{Text: "A red bus.", Kind: schemas.KindCaption}, {Text: "a bus", Kind: schemas.KindObject}},
		Negatives: []schemas.HardNegative{{Text: "a car", Of: of, Method: "replace_object", Changed: schemas.ChangedObject, Category: schemas.CategoryNone}},
	}
}

func TestReadTexts(t *testing.T) {
	rec := texts(pool(1), schemas.Pool{Positives: []schemas.Positive{{Text: "A bus."}}})
	rows, err := collect(Read(write(t, "t.parquet", string(parquetOf(t, rec)))))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	want := Negative{Text: "a car", Of: 1, Method: "replace_object", Changed: "object"}
	if len(rows[0].Negatives) != 1 || rows[0].Negatives[0] != want || len(rows[1].Negatives) != 0 {
		t.Errorf("rows %+v", rows)
	}
}

func TestReadTextsRefusesWhatIsNot(t *testing.T) {
	good := texts(pool(1))
	short := array.NewRecord(arrow.NewSchema(good.Schema().Fields()[:1], nil), good.Columns()[:1], 1)
	numbers := array.NewInt64Builder(memory.DefaultAllocator)
	numbers.Append(7)
	for _, c := range []struct {
		rec  arrow.Record
		want string
	}{
		{short, `column "image_key" is missing`},
		{replace(texts(pool(1)), schemas.ColKey, numbers.NewArray()), `column "key": want utf8, the file has int64`},
		{replace(texts(pool(1)), schemas.ColNegMethod, column(good, schemas.ColPosKind)), "row 0 (key \"0\"): neg has 1 values and neg_method has 2"},
		{texts(pool(1), pool(2)), "row 1 (key \"1\"): neg_of 2 is no index of its 2 positives"},
		{texts(pool(-1)), "row 0 (key \"0\"): neg_of -1 is no index"},
		{texts(schemas.Pool{}), "row 0 (key \"0\"): no positive"},
	} {
		_, err := collect(Read(write(t, "t.parquet", string(parquetOf(t, c.rec)))))
		if err == nil || !strings.HasPrefix(err.Error(), "t.parquet") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// Files with some changed bytes are read, or are errors that name them.
func TestChangedTexts(t *testing.T) {
	var pools []schemas.Pool
	for i := range 40 {
		pools = append(pools, pool(int16(i%2)))
	}
	whole := parquetOf(t, texts(pools...))
	path := filepath.Join(t.TempDir(), "t.parquet")
	refused := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 0))
		file := bytes.Clone(whole)
		for range 1 + r.IntN(3) {
			file[r.IntN(len(file))] ^= byte(1 + r.IntN(255))
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := collect(Read(path))
		if err != nil {
			refused++
			if !strings.HasPrefix(err.Error(), "t.parquet") {
				t.Errorf("seed %d: %v", seed, err)
			}
		} else if len(rows) != len(pools) {
			t.Errorf("seed %d: %d rows", seed, len(rows))
		}
	}
	if refused < 300 {
		t.Errorf("%d of 600 changed files are refused", refused)
	}
}

func FuzzDecodeTexts(f *testing.F) {
	f.Add(parquetOf(f, texts(pool(1), pool(0))))
	f.Fuzz(func(t *testing.T, file []byte) {
		path := filepath.Join(t.TempDir(), "t.parquet")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		for row, err := range Read(path) {
			if err == nil && len(row.Positives) == 0 {
				t.Fatalf("row %+v", row)
			}
		}
	})
}
