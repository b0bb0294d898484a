package sources

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"capgraph/schemas"
)

type deltaRow struct {
	Caption string  `parquet:"caption"`
	Note    *string `parquet:"note"`
	Width   int64   `parquet:"width"`
}

func deltaRows(n int) []deltaRow {
	rows := make([]deltaRow, n)
	for i := range rows {
		rows[i] = deltaRow{Caption: fmt.Sprint("a red bus ", i*i), Width: int64(-i * i)}
		if i%3 == 0 {
			rows[i].Note = &rows[i].Caption
		}
	}
	return rows
}

// deltaFile has its texts in the encoding e.
func deltaFile(t testing.TB, rows []deltaRow, e encoding.Encoding, options ...pq.WriterOption) []byte {
	text := pq.Encoded(pq.String(), e)
	schema := pq.NewSchema("rows", pq.Group{
		"caption": text, "note": pq.Optional(text), "width": pq.Encoded(pq.Int(64), &pq.DeltaBinaryPacked),
	})
	return parquetOf(t, rows, append(options, schema, pq.PageBufferSize(900))...)
}

func TestDeltaEncodings(t *testing.T) {
	rows := deltaRows(500)
	for _, e := range []encoding.Encoding{&pq.DeltaLengthByteArray, &pq.DeltaByteArray} {
		for _, version := range []int{1, 2} {
			for _, codec := range []pq.WriterOption{pq.Compression(&pq.Uncompressed), pq.Compression(&pq.Zstd)} {
				opts := write(t, "parquet", deltaFile(t, rows, e, codec, pq.DataPageVersion(version)))
				opts.Keep = []string{"note", "width"}
				checkDeltaRows(t, opts, rows)
			}
		}
	}
}

func checkDeltaRows(t *testing.T, opts Options, rows []deltaRow) {
	t.Helper()
	got, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(got) != len(rows) {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, r := range rows {
		want := []Kept{{Null: true}, {Type: schemas.KeptInt, Int: r.Width}}
		if r.Note != nil {
			want[0] = Kept{Text: *r.Note}
		}
		if got[i].Caption != r.Caption || !reflect.DeepEqual(got[i].Keep, want) {
			t.Fatalf("row %d: %+v", i, got[i])
		}
	}
}

// deltaBlock is total numbers in the packed form, all of them first.
func deltaBlock(total, first uint64) (b []byte) {
	for _, v := range []uint64{128, 4, total, first << 1} {
		b = binary.AppendUvarint(b, v)
	}
	for n := uint64(1); n < min(total, 1<<20); n += 128 {
		b = append(b, 0, 0, 0, 0, 0)
	}
	return b
}
