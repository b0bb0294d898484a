package sources

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"capgraph/schemas"
	"capgraph/store"
)

var update = flag.Bool("update", false, "write the golden files anew")

// brokenFile is one way of being broken.
type brokenFile struct {
	name, format string
	data         []byte
}

// brokenFiles are files that are broken, one in each way.
func brokenFiles(t testing.TB) []brokenFile {
	tsv := []byte("http://a/1\ta red bus\nhttp://a/2\ta blue bus\nhttp://a/3\ta bus\n")
	flipped := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 0x10
		return data
	}
	// noise does not compress, so that what is cut off or flipped is content.
	var noise []byte
	for i := range 20_000 {
		noise = fmt.Appendf(noise, "http://a/%d\t%x\n", i, uint64(i+1)*0x9e3779b97f4a7c15)
	}
	coco := func(images, annotations string) []byte {
		return fmt.Appendf(nil, `{"info": {}, "images": %s, "annotations": %s}`, images, annotations)
	}
	const image1 = `[{"id": 1, "file_name": "1.jpg"}]`
	files := []brokenFile{
		{"empty", "cc12m", nil},
		{"only NUL bytes", "cc12m", make([]byte, 1000)},
		{"a NUL byte in a caption", "cc12m", []byte("u\ta\x00b\n")},
		{"invalid UTF-8 in a caption", "cc12m", []byte("u\ta\xffb\nu\tok\n")},
		{"invalid UTF-8 in a URL", "cc12m", []byte("u\xff\ta\nu\tok\n")},
		{"no tab, too many tabs, an empty line", "cc12m", []byte("u\nu\ta\tb\n\nu\tok\n")},
		{"a quotation mark that does not close", "cc12m", []byte("u\t\"a\nu\tok\n")},
		{"UTF-16", "cc12m", []byte("\xff\xfeu\x00\t\x00a\x00")},
		{"gzip cut off in its header", "cc12m", gzipped(t, tsv)[:5]},
		{"gzip cut off", "cc12m", gzipped(t, noise)[:100_000]},
		{"gzip without its checksum", "cc12m", gzipped(t, tsv)[:len(gzipped(t, tsv))-8]},
		{"gzip with a bit flipped", "cc12m", flipped(gzipped(t, noise), 200_000)},
		{"gzip with a bit of its checksum flipped", "cc12m", flipped(gzipped(t, tsv), len(gzipped(t, tsv))-6)},
		{"gzip with something after it", "cc12m", append(gzipped(t, tsv), "garbage"...)},
		{"zstd cut off", "cc12m", zstded(t, noise)[:100_000]},
		{"zstd with a bit flipped", "cc12m", flipped(zstded(t, noise), 150_000)},
		{"zstd with a window of 2 GiB", "cc12m", []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00}},
		{"a TSV read as JSON lines", "jsonl", tsv},
		{"JSON lines with every fault", "jsonl", []byte(strings.Join([]string{
			`{"caption": "ok", "image": "1.jpg"}`, `[1]`, `"text"`, `{"caption": "twice", "caption": "twice"}`, `{"caption": 5}`, `{"caption": null}`,
			`{}`, ``, `{"caption": "cut off`, `{"caption": "a"} {"caption": "b"}`, "{\"caption\": \"\xff\"}", `{"caption": "\ud800"}`, `{"caption": ["a"]}`,
			`{"caption": "a", }`, `{'caption': 'a'}`, strings.Repeat("[", 20_000), `{"caption": "\u0000"}`, `{"caption": "ok", "n": 1e999}`, `NaN`,
		}, "\n"))},
		{"an image that is no text", "jsonl", []byte(`{"caption": "a", "image": {"bytes": "x"}}`)},
		{"empty", "coco", nil},
		{"not JSON", "coco", tsv},
		{"a list", "coco", []byte(`[]`)},
		{"only an opening brace", "coco", []byte(`{`)},
		{"no images", "coco", []byte(`{"annotations": []}`)},
		{"no annotations", "coco", []byte(`{"images": []}`)},
		{"annotations twice", "coco", []byte(`{"images": [], "annotations": [], "annotations": []}`)},
		{"images that are no list", "coco", coco(`{}`, `[]`)},
		{"cut off in an annotation", "coco", coco(image1, `[{"id": 1, "image_id": 1, "caption": "a"}, {"id": 2,`)[:100]},
		{"something after the document", "coco", append(coco(`[]`, `[]`), "{}"...)},
		{"annotations with every fault", "coco", coco(image1, `[
			{"id": 1, "image_id": 1, "caption": "ok"}, 5, null, {"image_id": 1, "caption": "no id"}, {"id": 2, "caption": "no image id"},
			{"id": 3, "image_id": 9, "caption": "missing image"}, {"id": 1, "image_id": 1, "caption": "duplicate"}, {"id": 4, "image_id": 1},
			{"id": 5, "image_id": 1, "caption": null}, {"id": 6, "image_id": 1, "caption": 7}, {"id": 7.5, "image_id": 1, "caption": "a"},
			{"id": [8], "image_id": 1, "caption": "a"}, {"id": 9, "image_id": {}, "caption": "a"}, {"id": 10, "id": 10, "image_id": 1, "caption": "a"},
			{"id": 11, "image_id": 1, "caption": "`+"\xff"+`"}, {"id": 12, "image_id": 1, "caption": "ok"}]`)},
		{"images with every fault", "coco", coco(`[5, {}, {"id": 1}, {"id": 2, "file_name": 3}, {"id": 2, "file_name": "again.jpg"}]`,
			`[{"id": 1, "image_id": 1, "caption": "no name"}, {"id": 2, "image_id": 2, "caption": "no text as name"}]`)},
		{"empty", "karpathy", nil},
		{"a text", "karpathy", []byte(`"a"`)},
		{"no images", "karpathy", []byte(`{"dataset": "coco"}`)},
		{"images with every fault", "karpathy", []byte(`[{"image": "1", "caption": ["ok", null, 5, "ok"]}, 5, {"image": "2"}, {"image": "3", "caption": []},
			{"caption": ["a"]}, {"image": 4, "caption": ["ok"]}, {"image": [], "caption": ["a"]}, {"image": "5", "caption": {"a": 1}}, {"image": "6", "caption": "one"}]`)},
		{"sentences with every fault", "karpathy", []byte(`{"images": [{"filename": "1.jpg", "filepath": "val", "cocoid": 7, "sentences": [
			{"raw": "ok", "sentid": 1}, {"raw": "ok", "sentid": 1}, {"sentid": 2}, {"raw": "no id"}, 5, {"raw": "a", "sentid": []}]},
			{"sentences": [{"raw": "a", "sentid": 3}]}], "dataset": "coco"}`)},
		{"cut off after an image", "karpathy", []byte(`[{"image": "1", "caption": ["ok"]}, {"image": "2", "cap`)},
		{"cut off after the images", "karpathy", []byte(`{"images": [{"filename": "1.jpg", "sentences": [{"raw": "ok"}]}], "data`)},
		{"empty", "visualgenome", nil},
		{"no list", "visualgenome", []byte(goodGQA)},
		{"cut off in a region", "visualgenome", []byte(regionGraphs)[:900]},
		{"regions with every fault", "visualgenome", []byte(regionGraphs)},
		{"scenes with every fault", "visualgenome", []byte(sceneGraphs)},
		{"empty", "gqa", nil},
		{"a list", "gqa", []byte(goodRegions)},
		{"cut off in an object", "gqa", []byte(gqaGraphs)[:600]},
		{"images with every fault", "gqa", []byte(gqaGraphs)},
		{"something after the document", "gqa", []byte(goodGQA + "{}")},
		{"empty", "webdataset", nil},
		{"no tar", "webdataset", tsv},
		{"without samples", "webdataset", make([]byte, 10_240)},
		{"cut off in a picture", "webdataset", samples(t)[:9000]},
		{"cut off in a caption", "webdataset", samples(t)[:9728+512+3]},
		{"cut off between two samples", "webdataset", samples(t)[:12_288]},
		{"without its end", "webdataset", samples(t)[:len(samples(t))-1024]},
		{"two tars, one behind the other", "webdataset", append(samples(t), samples(t)...)},
		{"a header with a bit flipped", "webdataset", flipped(samples(t), 9730)},
		{"gzip cut off", "webdataset", gzipped(t, tarOf(t, [2]string{"a.txt", "ok"}, [2]string{"b.txt", string(noise)}))[:100_000]},
		{"empty", "graphs", nil},
		{"a quotation mark that does not close", "graphs", []byte("caption,scene_graph\na,( a )\n\"b,( b )\nc,( c )\n")},
		{"a quotation mark in a cell", "graphs", []byte("caption,scene_graph\na\"b,( a )\nc,( c )\n")},
	}
	return append(files, brokenParquet(t)...)
}

// hugeFiles are files with a part that is too large.
func hugeFiles(t testing.TB) []brokenFile {
	long := strings.Repeat("x", 100<<20)
	const before, after = `{"images": [{"id": 1}], "annotations": [{"id": 1, "image_id": 1, "caption": "`, `"}, {"id": 2, "image_id": 1, "caption": "ok"}]}`
	return []brokenFile{
		{"a line of 100 MB", "cc12m", gzipped(t, []byte("u\ta\nu\t"+long+"\nu\tok\n"))},
		{"a line of 100 MB at the end", "cc12m", zstded(t, []byte("u\ta\nu\t"+long))},
		{"an annotation of 20 MB", "coco", []byte(before + long[:20<<20] + after)},
		{"a caption of 2 MB", "coco", []byte(before + long[:2<<20] + after)},
		{"an image of 20 MB", "karpathy", []byte(`[{"image": "1", "caption": ["` + long[:20<<20] + `"]}]`)},
		{"a quotation mark that does not close for 3 MB", "graphs", []byte("caption,scene_graph\n\"" + long[:3<<20])},
	}
}

type captionRow struct {
	Caption string `parquet:"caption,plain"`
}

// brokenParquet are Parquet files that are damaged or that claim what is not
// so: one row group with one column of three captions.
func brokenParquet(t testing.TB) []brokenFile {
	whole := parquetOf(t, []captionRow{{"a"}, {"b"}, {"c"}}, pq.Compression(&pq.Uncompressed), pq.DataPageVersion(1))
	many := func(n int) (rows []captionRow) {
		for range n {
			rows = append(rows, captionRow{strings.Repeat("a", 1000)})
		}
		return rows
	}
	claim := func(change func(*format.FileMetaData, *format.PageHeader), page func([]byte) []byte) []byte {
		return parquetClaiming(t, whole, change, page)
	}
	metadata := func(footer []byte) []byte {
		return binary.LittleEndian.AppendUint32(append([]byte("PAR1"), footer...), uint32(len(footer)))
	}
	end := func(data []byte) []byte { return append(data, "PAR1"...) }
	zeros := zstded(t, make([]byte, 1<<30/8))
	return []brokenFile{
		{"whole", "parquet", whole},
		{"empty", "parquet", nil},
		{"no Parquet", "parquet", bytes.Repeat([]byte("text "), 10)},
		{"cut off", "parquet", whole[:len(whole)-20]},
		{"without its beginning", "parquet", whole[20:]},
		{"metadata longer than the file", "parquet", end(binary.LittleEndian.AppendUint32(bytes.Clone(whole[:len(whole)-8]), 1<<31))},
		{"metadata that is no Thrift", "parquet", end(metadata(bytes.Repeat([]byte{0xff}, 100)))},
		{"no metadata", "parquet", end(metadata(nil))},
		{"metadata that claims a billion row groups", "parquet", end(metadata([]byte{0x15, 0x02, 0x39, 0xfc, 0x80, 0x94, 0xeb, 0xdc, 0x03}))},
		{"metadata that is nested deep", "parquet", end(metadata(bytes.Repeat([]byte{0x1c}, 10_000)))},
		{"another column", "parquet", parquetOf(t, []struct {
			Alt string `parquet:"alt"`
		}{{"a"}})},
		{"rows that are not there", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) {
			m.NumRows, m.RowGroups[0].NumRows, m.RowGroups[0].Columns[0].MetaData.NumValues = 1<<40, 1<<40, 1<<40
		}, nil)},
		{"row counts that differ", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) { m.NumRows = 5 }, nil)},
		{"a negative row count", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) { m.NumRows, m.RowGroups[0].NumRows = -3, -3 }, nil)},
		{"a column outside of the file", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 50
		}, nil)},
		{"a schema with more children than it has", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) { m.Schema[0].NumChildren.V = 1 << 30 }, nil)},
		{"a page of 2 GB", "parquet", claim(func(_ *format.FileMetaData, h *format.PageHeader) { h.UncompressedPageSize = 1<<31 - 1 }, nil)},
		{"a page beyond its column", "parquet", claim(func(_ *format.FileMetaData, h *format.PageHeader) { h.CompressedPageSize = 1 << 20 }, nil)},
		{"a page of 2 billion values", "parquet", claim(func(_ *format.FileMetaData, h *format.PageHeader) { h.DataPageHeader.V.NumValues = 1<<31 - 1 }, nil)},
		{"a page of negative size", "parquet", claim(func(_ *format.FileMetaData, h *format.PageHeader) { h.CompressedPageSize = -1 }, nil)},
		{"a zstd page that is larger than it claims", "parquet", claim(func(m *format.FileMetaData, h *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.Codec = format.Zstd
		}, func([]byte) []byte { return zeros })},
		{"a gzip page that is larger than it claims", "parquet", claim(func(m *format.FileMetaData, h *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.Codec = format.Gzip
		}, func([]byte) []byte { return gzipped(t, make([]byte, 1<<20)) })},
		{"a snappy page that claims 2 GB", "parquet", claim(func(m *format.FileMetaData, h *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.Codec = format.Snappy
		}, func([]byte) []byte { return []byte{0xff, 0xff, 0xff, 0xff, 0x07, 0, 0, 0} })},
		{"an LZ4 page that does not decompress", "parquet", claim(func(m *format.FileMetaData, h *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.Codec = format.Lz4Raw
		}, func([]byte) []byte { return bytes.Repeat([]byte{0xff}, 1000) })},
		{"a codec that is not known", "parquet", claim(func(m *format.FileMetaData, h *format.PageHeader) { m.RowGroups[0].Columns[0].MetaData.Codec = 99 }, nil)},
		{"a page that is damaged", "parquet", claim(nil, func(page []byte) []byte { return bytes.Repeat([]byte{0xff}, len(page)) })},
		{"a page that is cut off by its column", "parquet", claim(func(m *format.FileMetaData, _ *format.PageHeader) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 3
		}, nil)},
		{"lengths of 2 billion texts in a few bytes", "parquet", claim(deltas(format.DeltaLengthByteArray), func([]byte) []byte { return deltaBlock(1<<31-1, 0) })},
		{"texts of 60 GB in a few bytes", "parquet", claim(deltas(format.DeltaByteArray), func([]byte) []byte {
			return append(append(deltaBlock(1<<20, 60_000), deltaBlock(1<<20, 0)...), make([]byte, 60_000)...)
		})},
		{"captions of 2 MB", "parquet", parquetOf(t, []captionRow{{"ok"}, {strings.Repeat("x", 2<<20)}, {"ok"}})},
		{"invalid UTF-8", "parquet", parquetOf(t, []captionRow{{"ok"}, {"a\xff"}, {"ok"}})},
		{"a page that is damaged after good ones", "parquet", damagedAt(parquetOf(t, many(3000), pq.Compression(&pq.Uncompressed), pq.PageBufferSize(10_000), pq.MaxRowsPerRowGroup(1000)), 0.7)},
		{"an image key that is no text", "img2dataset", parquetOf(t, webRows(2))},
		{"graphs that are cut off", "graphs", graphsFile(t, make([]schemas.SceneGraph, 5), make([]string, 5), 2)[:500]},
	}
}

// deltas claims a million values in a delta encoding.
func deltas(e format.Encoding) func(*format.FileMetaData, *format.PageHeader) {
	const n = 1 << 20
	return func(m *format.FileMetaData, h *format.PageHeader) {
		m.NumRows, m.RowGroups[0].NumRows, m.RowGroups[0].Columns[0].MetaData.NumValues = n, n, n
		h.DataPageHeader.V.NumValues, h.DataPageHeader.V.Encoding = n, e
		h.UncompressedPageSize = h.CompressedPageSize
	}
}

func damagedAt(data []byte, part float64) []byte {
	at := int(float64(len(data)) * part)
	copy(data[at:], bytes.Repeat([]byte{0xff}, 5000))
	return data
}

// parquetClaiming writes the one page of a file anew, with metadata and header
// changed, and the page's bytes too where page is given.
func parquetClaiming(t testing.TB, data []byte, change func(*format.FileMetaData, *format.PageHeader), page func([]byte) []byte) []byte {
	t.Helper()
	f, err := pq.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	meta := f.Metadata()
	m := &meta.RowGroups[0].Columns[0].MetaData
	from := new(thrift.CompactProtocol).NewReaderFromBytes(data[m.DataPageOffset:])
	h := new(format.PageHeader)
	if err := thrift.NewDecoder(from).Decode(h); err != nil {
		t.Fatal(err)
	}
	body := data[m.DataPageOffset+int64(from.BytesRead()):][:h.CompressedPageSize]
	if page != nil {
		body = page(body)
		h.CompressedPageSize = int32(len(body))
	}
	*m = format.ColumnMetaData{
		Type: m.Type, Encoding: m.Encoding, PathInSchema: m.PathInSchema, Codec: m.Codec, NumValues: m.NumValues,
		TotalUncompressedSize: m.TotalUncompressedSize, DataPageOffset: 4, TotalCompressedSize: 1,
	}
	marshal := func(v any) []byte {
		b, err := thrift.Marshal(&thrift.CompactProtocol{}, v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if change != nil {
		change(meta, h)
	}
	if change != nil {
		h.CRC = int32(crc32.ChecksumIEEE(body))
	}
	out := append([]byte("PAR1"), marshal(h)...)
	out = append(out, body...)
	if m.TotalCompressedSize == 1 {
		m.TotalCompressedSize = int64(len(out) - 4)
	}
	footer := marshal(meta)
	out = append(out, footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// outcome is what reading a file gives: rows that are captions in short, each
// reject, and the error.
func outcome(t testing.TB, opts Options) string {
	t.Helper()
	rows, _, err := read(t, opts, schemas.Position{})
	var b strings.Builder
	captions := 0
	for _, r := range rows {
		if r.Reject == "" {
			captions++
			continue
		}
		fmt.Fprintf(&b, "  row %d: %s: %s\n", r.SourceRow, r.Reject, r.Detail)
	}
	fmt.Fprintf(&b, "  captions: %d\n", captions)
	if err != nil {
		fmt.Fprintf(&b, "  error: %s\n", strings.ReplaceAll(err.Error(), opts.Paths[0], "FILE"))
	}
	return b.String()
}

// maxBrokenAlloc bounds what reading a broken file may allocate, in bytes.
const maxBrokenAlloc = 160 << 20

// TestBrokenFiles reads each broken file: what comes of it is in the golden
// file, its neighbours are whole, and memory stays bounded.
func TestBrokenFiles(t *testing.T) {
	var got strings.Builder
	for _, f := range append(brokenFiles(t), hugeFiles(t)...) {
		opts := write(t, f.format, f.data)
		if f.format == "img2dataset" {
			if err := os.Rename(opts.Paths[0], opts.Paths[0]+extSidecar); err != nil {
				t.Fatal(err)
			}
			opts.Paths[0] += extSidecar
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fmt.Fprintf(&got, "%s: %s\n%s\n", f.format, f.name, outcome(t, opts))
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > maxBrokenAlloc {
			t.Errorf("%s: %s: %d MB were allocated for a file of %d bytes", f.format, f.name, n>>20, len(f.data))
		}
	}
	golden(t, "broken.golden", got.String())
}

// TestBrokenPaths asks for paths that do not lead to a file.
func TestBrokenPaths(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range []struct {
		format string
		paths  []string
	}{
		{"cc12m", nil}, {"cc12m", []string{"missing"}}, {"cc12m", []string{"*.tsv"}}, {"cc12m", []string{"[a"}}, {"cc12m", []string{""}},
		{"cc12m", []string{"loop"}}, {"cc12m", []string{"file/below"}}, {"img2dataset", []string{""}}, {"img2dataset", []string{"file"}},
		{"webdataset", []string{""}}, {"webdataset", []string{"file"}},
		{"tsv", []string{"file"}}, {"cc12m", []string{"file", "fi*", "file"}},
	} {
		opts := Options{Format: c.format}
		for _, p := range c.paths {
			opts.Paths = append(opts.Paths, filepath.Join(dir, p))
		}
		files, err := Expand(store.Local{}, opts)
		fmt.Fprintf(&got, "%s %q: %d files, %v\n", c.format, c.paths, len(files), err)
	}
	golden(t, "paths.golden", strings.ReplaceAll(got.String(), dir, "DIR"))
}

// TestChangedFiles opens files that are not as they were indexed.
func TestChangedFiles(t *testing.T) {
	for _, c := range []struct {
		format   string
		old, new []byte
		from     schemas.Position
	}{
		{"cc12m", []byte("u\ta\nu\tb\n"), []byte("u\ta\n"), schemas.Position{Row: 1, Offset: 4}},
		{"parquet", parquetOf(t, []captionRow{{"a"}, {"b"}}), parquetOf(t, []captionRow{{"a"}}), schemas.Position{Row: 1, Offset: -1}},
	} {
		opts := write(t, c.format, c.old)
		files, err := Expand(store.Local{}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(opts.Paths[0], c.new, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), store.Local{}, files[0], opts, c.from); err == nil || !strings.Contains(err.Error(), "when it was indexed") {
			t.Errorf("%s: %v", c.format, err)
		}
	}
	// Of equal size, but with other lines.
	lines := write(t, "cc12m", []byte("url\ta\nu\tb\n"))
	if _, err := open(t, lines, schemas.Position{Row: 1, Offset: 4}); err == nil || !strings.Contains(err.Error(), "byte 4: no line begins where one was indexed (bring the old file back") {
		t.Error(err)
	}
	// Of equal size, but with fewer rows.
	opts := write(t, "cc12m", gzipped(t, []byte("u\ta\nu\tb\n")))
	if _, err := open(t, opts, schemas.Position{Row: 3, Offset: -1}); err == nil || !strings.Contains(err.Error(), "fewer rows than the 3 that were indexed") {
		t.Error(err)
	}
}

// golden compares got with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s differs in line %d (write it anew with -update):\ngot  %s\nwant %s", path, i+1, g[i], strings.Join(w[min(i, len(w)-1):min(i+1, len(w))], ""))
		}
	}
	t.Fatalf("%s has %d lines more", path, len(w)-len(g))
}
