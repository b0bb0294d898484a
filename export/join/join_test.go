package join

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/export"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

const (
	hashA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" // SHA-256 of "a"
	hashB = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
)

// writeTar writes a tar of the members, which are the names and contents in turn.
func writeTar(t *testing.T, name string, members ...string) {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: members[i], Size: int64(len(members[i+1])), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(members[i+1]))
	}
	w.Close()
	writeFile(t, name, b.String())
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeParquet writes columns of texts.
func writeParquet(t *testing.T, name string, columns []string, rows ...[]string) {
	t.Helper()
	schema := textSchema(columns)
	build := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer build.Release()
	for _, row := range rows {
		for i, cell := range row {
			build.Field(i).(*array.StringBuilder).Append(cell)
		}
	}
	rec := build.NewRecord()
	defer rec.Release()
	var b bytes.Buffer
	w, err := parquetio.NewWriter(&b, schema, parquetio.WriterOptions{})
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, b.String())
}

// writeSamples writes two tars without sidecars and one with: the samples a to e.
func writeSamples(t *testing.T) string {
	dir := filepath.ToSlash(t.TempDir())
	meta := func(url, sha string) string {
		data, _ := json.Marshal(map[string]any{"url": url, "sha256": sha, "width": 3})
		return string(data)
	}
	writeTar(t, dir+"/00000.tar", "000000001.jpg", "x", "000000001.txt", "one", "000000001.json", meta("http://a", hashA), "000000000.JSON", meta("http://b", hashB), "000000000.jpg", "x")
	writeTar(t, dir+"/00001.tar", "dir/000010000.json", meta("http://a", ""), "dir/000010001.json", "no JSON", "dir/000010002.jpg", "x")
	writeTar(t, dir+"/00002.tar")
	writeParquet(t, dir+"/00002.parquet", []string{"key", "url", "status", "sha256"},
		[]string{"000020000", "http://ü", "success", hashA}, []string{"000020001", "http://b", "failed_to_download", ""})
	writeFile(t, dir+"/00002_stats.json", "{}")
	return dir
}

// readTexts returns the rows of each file of an output.
func readTexts(t *testing.T, dir string) map[string][]string {
	t.Helper()
	got := map[string][]string{}
	files, _ := filepath.Glob(dir + "/texts/*.parquet")
	for _, name := range files {
		base := strings.TrimSuffix(filepath.Base(name), ".parquet")
		got[base] = nil
		f, err := store.Local{}.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range int(rec.NumRows()) {
				got[base] = append(got[base], string(parquetio.AppendRowJSON(nil, rec, i)))
			}
			rec.Release()
		}
	}
	return got
}

// joined joins and returns the output.
func joined(t *testing.T, o Options) (Summary, string, error) {
	t.Helper()
	o.Store = store.Local{}
	if o.Output == "" {
		o.Output = filepath.ToSlash(t.TempDir()) + "/out"
	}
	s, err := Join(context.Background(), o)
	return s, o.Output, err
}

func TestJoinByURL(t *testing.T) {
	samples := writeSamples(t)
	rows := [][]string{{"http://ü", "uu", "z"}, {"http://c", "c", "z"}, {" http://a ", "first", "z"}, {"http://a", "second", "z"}, {"", "empty", "z"}}
	want := map[string][]string{
		"00000": {`{"key":"000000001","url":" http://a ","text":"first"}`},
		"00001": {`{"key":"dir/000010000","url":" http://a ","text":"first"}`},
		"00002": {`{"key":"000020000","url":"http://ü","text":"uu"}`},
	}
	dir := filepath.ToSlash(t.TempDir())
	writeParquet(t, dir+"/a.parquet", []string{"url", "text", "key"}, rows...)
	lines, table, tabs := "", "url,text,key\n", "url\ttext\tkey\n"
	for _, r := range rows {
		lines += fmt.Sprintf("{\"url\": %q, \"text\": %q, \"key\": \"z\"}\n\n", r[0], r[1])
		table += strings.Join(r, ",") + "\n"
		tabs += strings.Join(r, "\t") + "\n"
	}
	writeFile(t, dir+"/a.jsonl", lines)
	writeFile(t, dir+"/a.csv", table)
	writeFile(t, dir+"/a.tsv", tabs)
	for _, form := range forms {
		s, out, err := joined(t, Options{Texts: dir + "/a" + form, Samples: samples})
		if err != nil {
			t.Fatal(err)
		}
		got := readTexts(t, out)
		for name := range want {
			text := strings.Join(got[name], "\n")
			if form == ".jsonl" { // columns by name
				text = strings.NewReplacer(`"text":"first","url":" http://a "`, `"url":" http://a ","text":"first"`, `"text":"uu","url":"http://ü"`, `"url":"http://ü","text":"uu"`).Replace(text)
			}
			expected := strings.Join(want[name], "\n")
			if form == ".csv" || form == ".tsv" { // spaces around a cell are dropped
				expected = strings.ReplaceAll(expected, " http://a ", "http://a")
			}
			if text != expected {
				t.Errorf("%s, %s: %s", form, name, text)
			}
		}
		if s != (Summary{By: ByURL, Column: "url", Tars: 3, Samples: 6, Texts: 5, Joined: 3, SamplesWithout: 3, TextsWithout: 2, Repeated: 1}) {
			t.Errorf("%s: %+v", form, s)
		}
		if list := read(t, out+"/.join/samples_without_text.tsv"); list != "tar\tkey\n00000.tar\t000000000\n00001.tar\tdir/000010001\n00001.tar\tdir/000010002\n" {
			t.Errorf("%s: %q", form, list)
		}
		file := dir + "/a" + form
		if list := read(t, out+"/.join/texts_without_sample.tsv"); list != "file\trow\turl\treason\n"+file+"\t1\thttp://c\tno sample has it\n"+file+"\t3\thttp://a\tanother text before has it\n"+file+"\t4\t\tempty\n" {
			t.Errorf("%s: %q", form, list)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestJoinByHashAndKey(t *testing.T) {
	samples := writeSamples(t)
	dir := filepath.ToSlash(t.TempDir())
	for name, c := range map[string]struct {
		table  string
		o      Options
		column string
		want   string
	}{
		"image":   {"sha256,text\n" + strings.ToUpper(hashA) + ",A\n" + hashB + ",B\n", Options{}, "sha256", "00000: 000000001 A, 000000000 B; 00002: 000020000 A"},
		"address": {"hash,text\n3d0ec1cd71a7a8cd8e2a5ac23d4ae76b57c8c7ad1f3ab7d5a9d1e4a1d0a4aa11,no\n" + hexOf("http://b") + ",B\n", Options{By: ByURLSHA256}, "hash", "00000: 000000000 B"},
		"key":     {"key,text\n000000000,B\ndir/000010002,C\n", Options{By: ByKey}, "key", "00000: 000000000 B; 00001: dir/000010002 C"},
		"column":  {"key,x y,text\n1,http://b,B\n", Options{Column: "x y"}, "x y", "00000: 000000000 B"},
	} {
		writeFile(t, dir+"/t.csv", c.table)
		c.o.Texts, c.o.Samples = dir+"/t.csv", samples
		s, out, err := joined(t, c.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		texts := readTexts(t, out)
		for _, tar := range []string{"00000", "00001", "00002"} {
			var rows []string
			for _, line := range texts[tar] {
				var row map[string]string
				if err := json.Unmarshal([]byte(line), &row); err != nil {
					t.Fatal(err)
				}
				rows = append(rows, row["key"]+" "+row["text"])
			}
			if len(rows) > 0 {
				got = append(got, tar+": "+strings.Join(rows, ", "))
			}
		}
		if strings.Join(got, "; ") != c.want || s.Column != c.column {
			t.Errorf("%s: %q, %+v", name, got, s)
		}
	}
}

func hexOf(text string) string { return ByURLSHA256.ofSample(text) }

// TestJoinRun gives the texts of a run, which have URLs, the keys of tars: the result is exported like
// that of a run.
func TestJoinRun(t *testing.T) {
	samples := writeSamples(t)
	run := filepath.ToSlash(t.TempDir())
	var b bytes.Buffer
	w, err := export.NewParquet(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i, url := range []string{"http://b", "http://a"} {
		r := &export.Row{Key: fmt.Sprint(i), ImageKey: url, Image: url, Text: "text of " + url}
		r.Positives = []schemas.Positive{{Text: r.Text, Kind: schemas.KindCaption}}
		r.Negatives = []schemas.HardNegative{{Text: "not " + r.Text, Method: "m", Changed: "object", Category: "none"}}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, run+"/texts/train-00000-of-00001.parquet", b.String())
	s, out, err := joined(t, Options{Texts: run, Samples: samples})
	if err != nil || s.Joined != 3 || s.Column != "image" {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, f := range export.Formats() {
		if f.Name != "tripletclip" {
			continue
		}
		dir := filepath.ToSlash(t.TempDir()) + "/tars"
		if _, err := f.Write(t.Context(), export.Options{Store: store.Local{}, Dir: out, Output: dir}); err != nil {
			t.Fatal(err)
		}
		if got := listTar(t, dir+"/00000.tar"); got != "000000001.caption=text of http://a 000000001.neg_caption=not text of http://a 000000000.caption=text of http://b 000000000.neg_caption=not text of http://b " {
			t.Error(got)
		}
	}
}

func listTar(t *testing.T, name string) (list string) {
	t.Helper()
	for r := tar.NewReader(strings.NewReader(read(t, name))); ; {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(r)
		list += h.Name + "=" + string(data) + " "
	}
}

func TestJoinToTars(t *testing.T) {
	samples := writeSamples(t)
	dir := filepath.ToSlash(t.TempDir())
	writeFile(t, dir+"/t.jsonl", `{"url": "http://a", "long": ["x", "<y>"], "short": "s", "n": 3, "none": null}`+"\n"+`{"url": "http://b", "extra": true}`+"\n")
	s, out, err := joined(t, Options{Texts: dir + "/t.jsonl", Samples: samples, Tars: true, Caption: "short"})
	if err != nil || s.Joined != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	want := `000000001.json={"key":"000000001","long":"[\"x\", \"<y>\"]","n":"3","none":null,"short":"s","url":"http://a","extra":null} 000000001.txt=s ` +
		`000000000.json={"key":"000000000","long":null,"n":null,"none":null,"short":null,"url":"http://b","extra":"true"} 000000000.txt= `
	if got := listTar(t, out+"/00000.tar"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := listTar(t, out+"/00002.tar"); got != "" {
		t.Error(got)
	}
	if sizes := read(t, out+"/sizes.json"); !strings.Contains(sizes, `"00001.tar": 1`) || !strings.Contains(sizes, `"00002.tar": 0`) {
		t.Error(sizes)
	}
}

func TestJoinErrors(t *testing.T) {
	samples := writeSamples(t)
	dir := filepath.ToSlash(t.TempDir())
	writeFile(t, dir+"/t.csv", "url,text\nhttp://a,b\n")
	writeFile(t, dir+"/none.csv", "a,b\n1,2\n")
	writeFile(t, dir+"/torn.csv", "url,text\nhttp://a\n")
	writeFile(t, dir+"/bad.jsonl", "{\"url\": \"x\"}\n[]\n")
	writeFile(t, dir+"/bad.parquet", "PAR1nonsense")
	writeFile(t, dir+"/twice.csv", "url,url\n")
	writeFile(t, dir+"/cut/00000.tar", read(t, samples+"/00000.tar")[:700])
	writeFile(t, dir+"/mixed/a.csv", "url\n")
	writeFile(t, dir+"/mixed/b.tsv", "url\n")
	writeFile(t, dir+"/other/a.csv", "url\n")
	writeFile(t, dir+"/other/b.csv", "link\n")
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Texts: dir + "/none.csv"}, "no column to join by (it has a, b)"},
		{Options{Texts: dir + "/t.csv", Column: "x"}, "--column x: "},
		{Options{Texts: dir + "/t.csv", By: "colour"}, "want url, sha256, url-sha256 or key"},
		{Options{Texts: dir + "/torn.csv"}, "torn.csv: row 1: 1 cells, and the header has 2"},
		{Options{Texts: dir + "/bad.jsonl"}, "bad.jsonl: line 2"},
		{Options{Texts: dir + "/bad.parquet"}, "bad.parquet"},
		{Options{Texts: dir + "/twice.csv"}, `two columns "url"`},
		{Options{Texts: dir + "/mixed"}, "different forms"},
		{Options{Texts: dir + "/other"}, "other columns"},
		{Options{Texts: dir + "/no.csv"}, "no such file"},
		{Options{Texts: dir + "/t.csv", Samples: dir + "/mixed"}, "no .tar in it"},
		{Options{Texts: dir + "/t.csv", Samples: dir + "/cut"}, "00000.tar: is cut off or damaged"},
		{Options{Texts: dir + "/t.csv", Output: samples}, "is not empty"},
		{Options{Texts: dir + "/t.csv", Tars: true, Caption: "none"}, "--caption none"},
	} {
		if c.o.Samples == "" {
			c.o.Samples = samples
		}
		_, out, err := joined(t, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
		if left, _ := filepath.Glob(out + "/texts/*"); c.o.Output == "" && len(left) > 0 {
			t.Errorf("%+v: leaves %v", c.o, left)
		}
	}
}

// TestJoinMany joins in several groups and parts; each row is at its place.
func TestJoinMany(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	const tars, each = 7, 500
	for i := range tars {
		var rows [][]string
		for k := range each {
			n := i*each + k
			rows = append(rows, []string{fmt.Sprintf("%05d%04d", i, k), fmt.Sprintf("http://%d", n)})
		}
		slices.Reverse(rows)
		writeTar(t, fmt.Sprintf("%s/tars/%05d.tar", dir, i))
		writeParquet(t, fmt.Sprintf("%s/tars/%05d.parquet", dir, i), []string{"key", "url"}, rows...)
	}
	var texts [][]string
	for n := range tars * each {
		m := n * 1237 % (tars * each) // another order
		texts = append(texts, []string{fmt.Sprintf("http://%d", m), strings.Repeat(fmt.Sprint("text ", m, " "), 3)})
	}
	writeParquet(t, dir+"/t.parquet", []string{"url", "text"}, texts...)
	s, out, err := joined(t, Options{Texts: dir + "/t.parquet", Samples: dir + "/tars"})
	if err != nil || s.Joined != tars*each || s.SamplesWithout+s.TextsWithout+s.Repeated != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	for name, rows := range readTexts(t, out) {
		if len(rows) != each {
			t.Errorf("%s has %d rows", name, len(rows))
		}
		for k, row := range rows {
			var i int
			fmt.Sscanf(name, "%d", &i)
			n := i*each + each - 1 - k
			if want := fmt.Sprintf(`{"key":"%05d%04d","url":"http://%d","text":"%s"}`, i, each-1-k, n, strings.Repeat(fmt.Sprint("text ", n, " "), 3)); row != want {
				t.Fatalf("%s, row %d: %s, want %s", name, k, row, want)
			}
		}
	}
}

func FuzzJoinTexts(f *testing.F) {
	f.Add("url,text\nhttp://a,b\n", ".csv")
	f.Add("url\ttext\nhttp://a\tb\n", ".tsv")
	f.Add("{\"url\": \"http://a\", \"x\": [1]}\n", ".jsonl")
	f.Fuzz(func(t *testing.T, content, form string) {
		if form != ".csv" && form != ".tsv" && form != ".jsonl" {
			return
		}
		name := t.TempDir() + "/t" + form
		writeFile(t, name, content)
		texts, err := openTexts(store.Local{}, name)
		if err != nil {
			return
		}
		for b, err := range texts.readBatches() {
			if err != nil {
				break
			}
			if !b.rec.Schema().Equal(texts.schema) || b.rec.NumRows() == 0 {
				t.Errorf("%s", b.rec.Schema())
			}
			b.rec.Release()
		}
		fieldOf([]byte(content), "url")
	})
}

// peakAllocator records the most bytes that were allocated at a time.
type peakAllocator struct {
	memory.Allocator
	now, peak int
}

func (p *peakAllocator) add(n int) { p.now += n; p.peak = max(p.peak, p.now) }

func (p *peakAllocator) Allocate(n int) []byte { p.add(n); return p.Allocator.Allocate(n) }

func (p *peakAllocator) Reallocate(n int, b []byte) []byte {
	p.add(n - len(b))
	return p.Allocator.Reallocate(n, b)
}

func (p *peakAllocator) Free(b []byte) { p.add(-len(b)); p.Allocator.Free(b) }

// TestJoinSharedText joins one long text with many samples: it is not copied for each in memory.
func TestJoinSharedText(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	const samples, bytes = 400, 100_000
	rows := make([][]string, samples)
	for i := range rows {
		rows[i] = []string{fmt.Sprintf("%09d", i), "http://same"}
	}
	writeTar(t, dir+"/tars/00000.tar")
	writeParquet(t, dir+"/tars/00000.parquet", []string{"key", "url"}, rows...)
	writeFile(t, dir+"/t.jsonl", fmt.Sprintf(`{"url": "http://same", "text": %q}`, strings.Repeat("x", bytes)))
	before := memory.DefaultAllocator
	defer func() { memory.DefaultAllocator = before }()
	for _, tars := range []bool{false, true} {
		peak := &peakAllocator{Allocator: before}
		memory.DefaultAllocator = peak
		s, out, err := joined(t, Options{Texts: dir + "/t.jsonl", Samples: dir + "/tars", Tars: tars})
		if err != nil || s.Joined != samples {
			t.Fatalf("%+v, %v", s, err)
		}
		if peak.peak > 24<<20 {
			t.Errorf("tars %v: %d MB at a time, of texts of %d MB", tars, peak.peak>>20, samples*bytes>>20)
		}
		if texts := readTexts(t, out)["00000"]; !tars && (len(texts) != samples || len(texts[samples-1]) < bytes) {
			t.Errorf("%d rows", len(texts))
		}
	}
}

// TestJoinNamesThatLeadOut refuses to write tars with members outside the folder that they are unpacked in.
func TestJoinNamesThatLeadOut(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	writeFile(t, dir+"/t.csv", "url,text\nhttp://a,b\n")
	for i, name := range []string{"../../1", "/etc/1", "a/../../1", "./../1"} {
		samples := fmt.Sprintf("%s/%d", dir, i)
		writeTar(t, samples+"/00000.tar", name+".json", `{"url": "http://a"}`)
		_, _, err := joined(t, Options{Texts: dir + "/t.csv", Samples: samples, Tars: true})
		if err == nil || !strings.Contains(err.Error(), "00000.tar: its sample") || !strings.Contains(err.Error(), "would be unpacked outside the folder") {
			t.Errorf("%s: %v", name, err)
		}
		if s, _, err := joined(t, Options{Texts: dir + "/t.csv", Samples: samples}); err != nil || s.Joined != 1 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// TestJoinURLsAsBytes joins by a column of bytes that are no text by their type, as some tools write URLs.
func TestJoinURLsAsBytes(t *testing.T) {
	samples, dir := writeSamples(t), filepath.ToSlash(t.TempDir())
	schema := arrow.NewSchema([]arrow.Field{{Name: "url", Type: arrow.BinaryTypes.Binary}, {Name: "text", Type: arrow.BinaryTypes.Binary}}, nil)
	build := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer build.Release()
	build.Field(0).(*array.BinaryBuilder).AppendString("http://a")
	build.Field(1).(*array.BinaryBuilder).AppendString("a dog")
	rec := build.NewRecord()
	defer rec.Release()
	var b bytes.Buffer
	w, err := parquetio.NewWriter(&b, schema, parquetio.WriterOptions{})
	if err := errors.Join(err, w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir+"/t.parquet", b.String())
	s, out, err := joined(t, Options{Texts: dir + "/t.parquet", Samples: samples, Tars: true})
	if err != nil || s.Joined != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if got := listTar(t, out+"/00000.tar"); !strings.Contains(got, "000000001.txt=a dog ") {
		t.Error(got)
	}
}

// TestJoinAgain joins into the folder of a join that failed at any file, and not into one that ended.
func TestJoinAgain(t *testing.T) {
	samples, dir := writeSamples(t), filepath.ToSlash(t.TempDir())
	writeFile(t, dir+"/t.csv", "url,text\nhttp://a,b\nhttp://c,d\n")
	for _, tars := range []bool{false, true} {
		o := Options{Texts: dir + "/t.csv", Samples: samples, Tars: tars}
		_, want, err := joined(t, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Output = want
		if _, _, err := joined(t, o); err == nil || !strings.Contains(err.Error(), "is not empty") {
			t.Errorf("onto a join that ended: %v", err)
		}
		for i, at := range []string{textsWithoutSample, "00001.", samplesWithoutText} {
			o.Output = fmt.Sprintf("%s/%v-%d", dir, tars, i)
			o.Store = faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
				if op == faultstore.Publish && strings.Contains(name, at) {
					return syscall.ENOSPC
				}
				return nil
			})
			if _, err := Join(t.Context(), o); err == nil {
				t.Fatalf("%s: no error", at)
			}
			if _, _, err := joined(t, o); err != nil {
				t.Fatalf("again after %s: %v", at, err)
			}
			if got := filesBelow(t, o.Output); !maps.Equal(got, filesBelow(t, want)) {
				t.Errorf("again after %s: %v", at, slices.Sorted(maps.Keys(got)))
			}
		}
	}
}

// filesBelow returns the files of a folder with their content.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[name] = read(t, filepath.Join(dir, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestScratchErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{{syscall.EMFILE, "ulimit -n"}, {syscall.ENOSPC, "free some space"}} {
		if got := scratchError(&fs.PathError{Op: "open", Path: "x", Err: c.err}).Error(); !strings.Contains(got, c.want) {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}
