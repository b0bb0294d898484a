package sources

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"capgraph/schemas"
)

func parquetOf[T any](t testing.TB, rows []T, options ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type webRow struct {
	Text  *string   `parquet:"TEXT"`
	URL   string    `parquet:"URL,dict"`
	Width int32     `parquet:"width"`
	Score float64   `parquet:"score"`
	Safe  *bool     `parquet:"safe"`
	When  time.Time `parquet:"when,timestamp(microsecond)"`
	Meta  struct {
		ID uint64 `parquet:"id"`
	} `parquet:"meta"`
	Tags []string `parquet:"tags,list"`
}

func webRows(n int) []webRow {
	rows := make([]webRow, n)
	for i := range rows {
		text, safe := fmt.Sprintf("caption %d é", i), i%2 == 0
		rows[i] = webRow{Text: &text, URL: fmt.Sprintf("http://a/%d", i/2), Width: int32(-i), Score: float64(i) / 2, Safe: &safe, When: time.UnixMicro(1e15).UTC()}
		rows[i].Meta.ID = 1<<63 + uint64(i)
		if i%7 == 3 {
			rows[i].Text, rows[i].Safe = nil, nil
		}
	}
	return rows
}

func TestParquet(t *testing.T) {
	rows := webRows(1000)
	for name, options := range map[string][]pq.WriterOption{
		"plain":  {pq.Compression(&pq.Uncompressed)},
		"zstd":   {pq.Compression(&pq.Zstd), pq.MaxRowsPerRowGroup(300), pq.PageBufferSize(700)},
		"snappy": {pq.Compression(&pq.Snappy), pq.DataPageVersion(1)},
		"gzip":   {pq.Compression(&pq.Gzip), pq.PageBufferSize(700)},
		"brotli": {pq.Compression(&pq.Brotli)},
		"lz4":    {pq.Compression(&pq.Lz4Raw), pq.DataPageVersion(1), pq.MaxRowsPerRowGroup(99)},
	} {
		t.Run(name, func(t *testing.T) {
			opts := write(t, "parquet", parquetOf(t, rows, options...))
			opts.Columns = map[string][]string{Caption: {"TEXT"}, Image: {"URL"}}
			opts.Keep = []string{"width", "score", "safe", "when", "meta"}
			got, after, err := read(t, opts, schemas.Position{})
			if err != nil || len(got) != len(rows) {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			for i, r := range got {
				if rows[i].Text == nil {
					if r.Reject != RejectMissingCaption {
						t.Errorf("row %d: %+v", i, r)
					}
					continue
				}
				want := []Kept{
					{Type: schemas.KeptInt, Int: int64(-i)}, {Type: schemas.KeptFloat, Float: float64(i) / 2}, {Type: schemas.KeptBool, Bool: i%2 == 0},
					{Text: "2001-09-09 01:46:40Z"}, {Text: fmt.Sprintf(`{"id":%d}`, 1<<63+uint64(i))},
				}
				if r.Caption != *rows[i].Text || r.Image != rows[i].URL || r.Key != fmt.Sprintf("00000-%09d", i) || r.SourceRow != int64(i) || !reflect.DeepEqual(r.Keep, want) {
					t.Fatalf("row %d: %+v", i, r)
				}
			}
			for _, i := range []int{0, 1, 298, 299, 300, 899, 999} {
				rest, _, err := read(t, opts, after[i])
				if err != nil || len(rest) != len(rows)-i-1 || len(rest) > 0 && !reflect.DeepEqual(rest, got[i+1:]) {
					t.Fatalf("from %+v: %d rows, %v", after[i], len(rest), err)
				}
			}
		})
	}
}

func TestParquetColumns(t *testing.T) {
	opts := write(t, "parquet", parquetOf(t, webRows(3)))
	for _, c := range []struct {
		name string
		opts Options
		want string
	}{
		{"a wrong mapping", Options{Columns: map[string][]string{Caption: {"caption"}}}, `has no column "caption"; it has TEXT, URL, width, score, safe, when, meta, tags (say which of them it is: source.columns: {caption: NAME})`},
		{"a number as caption", Options{Columns: map[string][]string{Caption: {"width"}}}, "cannot be the caption"},
		{"a float as key", Options{Columns: map[string][]string{Caption: {"TEXT"}, Key: {"score"}}}, "cannot be the key"},
		{"a struct as caption", Options{Columns: map[string][]string{Caption: {"meta"}}}, "cannot be the caption"},
		{"keep a column that is not there", Options{Columns: map[string][]string{Caption: {"TEXT"}}, Keep: []string{"nsfw"}}, `has no column "nsfw"`},
		{"a role that does not exist", Options{Columns: map[string][]string{"text": {"TEXT"}}}, `parquet has no "text": it has caption, image, key, image_key`},
	} {
		c.opts.Format, c.opts.Paths = opts.Format, opts.Paths
		if _, err := open(t, c.opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Columns of bytes are read as those of text are; what is no text is kept in
// base64. Bytes in a column image are a picture.
func TestParquetBytes(t *testing.T) {
	type row struct {
		Caption []byte `parquet:"caption"`
		URL     []byte `parquet:"url"`
		Image   []byte `parquet:"image"`
		Hash    []byte `parquet:"hash"`
	}
	opts := write(t, "parquet", parquetOf(t, []row{
		{[]byte("a dog é"), []byte("http://a/1"), []byte{0xff, 0xd8, 0xff}, []byte{0xff}},
		{[]byte("a red\xff dog"), []byte("http://a/2"), nil, []byte("text")},
		{[]byte("a cat"), []byte("http://a/\xff"), nil, nil},
	}))
	opts.Keep = []string{"hash"}
	check := func(opts Options, want ...string) {
		t.Helper()
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.ImageKey, "|", r.Image, "|", r.Caption, "|", r.Reject, "|", r.Keep))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	want := []string{
		"http://a/1|http://a/1|a dog é||[/w==]",
		"http://a/2|http://a/2|a red� dog|invalid_utf8|[]",
		"http://a/�|http://a/�|a cat|invalid_utf8|[]",
	}
	check(opts, want...)
	opts.Columns = map[string][]string{Image: {"url"}}
	check(opts, want...)
}

// sidecar is a row of img2dataset's Parquet files.
type sidecar struct {
	Caption *string `parquet:"caption"`
	URL     string  `parquet:"url"`
	Key     string  `parquet:"key"`
	Status  string  `parquet:"status"`
	Width   int32   `parquet:"width"`
}

func TestImg2dataset(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, b, c := "a dog", "a cat", "a cow"
	put("00000.tar", []byte("not read"))
	put("00000.parquet", parquetOf(t, []sidecar{
		{&b, "http://a/1", "000000001", "success", 5}, {&c, "http://a/2", "000000002", "failed_to_download", 0}, {&a, "http://a/0", "000000000", "success", 4},
		{nil, "http://a/3", "000000003", "success", 4}, {&c, "http://a/1", "000000001", "success", 4},
	}))
	put("00000_stats.json", []byte("{}"))
	put("00001.tar", nil)
	opts := Options{Format: "img2dataset", Paths: []string{dir}, Keep: []string{"url", "width"}}
	rows, _, err := read(t, opts, schemas.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprint(r.Key, "|", r.ImageKey, "|", r.Image, "|", r.Caption, "|", r.SourceRow, "|", r.Reject, "|", r.Keep))
	}
	want := []string{
		"000000000|000000000|00000.tar/000000000.jpg|a dog|2||[http://a/0 4]",
		"000000001|000000001|00000.tar/000000001.jpg|a cat|0||[http://a/1 5]",
		"000000001|000000001|00000.tar/000000001.jpg|a cow|4|duplicate_key|[]",
		"000000002|000000002|00000.tar/000000002.jpg|a cow|1|not_selected|[]",
		"000000003|000000003|00000.tar/000000003.jpg||3|missing_caption|[]",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	checkResume(t, Options{Format: "img2dataset", Paths: []string{filepath.Join(dir, "00000.tar")}, Where: map[string]string{}, Columns: map[string][]string{Image: {"url"}}})
	opts.Paths = []string{filepath.Join(dir, "00001.*")}
	if _, err := open(t, opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), "00001.parquet: there is no such sidecar beside its tar (bring the sidecar back") {
		t.Errorf("a tar without sidecar: %v", err)
	}
}

// A column of nulls, as pyarrow writes one that holds nothing, is read as that.
func TestParquetColumnOfNulls(t *testing.T) {
	opts := Options{Format: "parquet", Paths: []string{"../internal/parquetio/testdata/parquet/gzip_v2_plain.parquet"}, Keep: []string{"nothing"}}
	for _, c := range []struct {
		columns map[string][]string
		reject  string
		keep    []Kept
	}{
		{map[string][]string{Caption: {"required"}}, "", []Kept{{Type: schemas.KeptNull, Null: true}}},
		{map[string][]string{Caption: {"nothing"}}, RejectMissingCaption, []Kept{}},
		{map[string][]string{Caption: {"required"}, Key: {"nothing"}}, RejectMissingKey, []Kept{}},
		{map[string][]string{Caption: {"required"}, Image: {"nothing"}}, RejectMissingImage, []Kept{}},
	} {
		opts.Columns = c.columns
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil || len(rows) == 0 {
			t.Fatalf("%v: %d rows, %v", c.columns, len(rows), err)
		}
		for _, r := range rows {
			if r.Reject != c.reject || !slices.Equal(r.Keep, c.keep) {
				t.Errorf("%v: row %d is %q with %v, want %q with %v", c.columns, r.SourceRow, r.Reject, r.Keep, c.reject, c.keep)
			}
		}
	}
}

// Decimals keep their zeros, and only timestamps of a zone are said to be of one.
func TestParquetKeepsNumbersAndTimesAsTheyAre(t *testing.T) {
	opts := Options{Format: "parquet", Paths: []string{"../internal/parquetio/testdata/parquet/gzip_v2_plain.parquet"}, Columns: map[string][]string{Caption: {"required"}},
		Keep: []string{"decimal", "large_decimal", "ts_us", "ts_ms_utc"}}
	rows, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(rows) < 14 {
		t.Fatal(len(rows), err)
	}
	for i, want := range map[int][]string{
		0:  {"-0.03", "-10000000000000000000000000", "2026-01-01 00:00:01.000005", "1969-01-01 00:00:01.005Z"},
		3:  {"0.00", "-9999999999999999999999997", "2026-01-01 03:00:01.000005", "1969-01-01 00:00:01.005Z"},
		12: {"0.09", "-9999999999999999999999988", "2026-01-01 12:00:01.000005", "1969-01-01 00:00:01.005Z"},
	} {
		for j, kept := range rows[i].Keep {
			if kept.Text != want[j] {
				t.Errorf("row %d: %s is kept as %q, want %q", i, opts.Keep[j], kept.Text, want[j])
			}
		}
	}
}

// The columns of published corpora are known by their names.
func TestPublishedColumns(t *testing.T) {
	type laion struct {
		ID         int64   `parquet:"SAMPLE_ID"`
		URL        string  `parquet:"URL"`
		Text       *string `parquet:"TEXT"`
		Top        string  `parquet:"top_caption"`
		Similarity float64 `parquet:"similarity"`
	}
	type yfcc struct {
		Title       string  `parquet:"title_clean"`
		Description *string `parquet:"description_clean"`
		URL         string  `parquet:"downloadurl"`
		Image       []byte  `parquet:"img"`
	}
	type both struct {
		Caption *string `parquet:"caption"`
		Text    string  `parquet:"TEXT"`
	}
	alt, sunset := "a red bus", " we were there "
	for name, c := range map[string]struct {
		data    []byte
		columns map[string][]string
		want    string
	}{
		"LAION":        {parquetOf(t, []laion{{1, "http://a/1", &alt, "BLIP", 0.3}, {2, "http://a/2", nil, "BLIP", 0.3}}), nil, "a red bus|http://a/1| |http://a/2|missing_caption"},
		"LAION, named": {parquetOf(t, []laion{{1, "http://a/1", &alt, "BLIP", 0.3}}), map[string][]string{Caption: {"top_caption"}}, "BLIP||"},
		"YFCC": {parquetOf(t, []yfcc{{"Sunset", &sunset, "http://a/1", nil}, {"Sunset!", &sunset, "http://a/2", nil}, {"Sunset", nil, "http://a/3", nil}, {"", nil, "http://a/4", nil}}), nil,
			"Sunset. we were there|http://a/1| Sunset! we were there|http://a/2| Sunset|http://a/3| |http://a/4|missing_caption"},
		"a column caption": {parquetOf(t, []both{{&alt, "no"}, {nil, "no"}}), nil, "a red bus|| ||missing_caption"},
	} {
		opts := write(t, "parquet", c.data)
		opts.Columns = c.columns
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, r.Caption+"|"+r.Image+"|"+r.Reject)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", name, strings.Join(got, " "), c.want)
		}
	}
	jsonl := write(t, "jsonl", []byte(`{"TEXT": "a red bus", "URL": "http://a/1"}
{"caption": "a blue bus", "TEXT": "no", "URL": "http://a/1"}
{"title_clean": "a", "description_clean": "b", "downloadurl": "u"}
{"TEXT": 5}
`))
	rows, _, err := read(t, jsonl, schemas.Position{})
	if err != nil || len(rows) != 4 || rows[0].Caption+rows[0].Image != "a red bushttp://a/1" || rows[1].Caption+rows[1].Image != "a blue bus" ||
		rows[2].Caption+rows[2].Image != "a. bu" || rows[3].Reject != RejectWrongType {
		t.Errorf("%+v, %v", rows, err)
	}
}
