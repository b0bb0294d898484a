package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"capgraph/schemas"
	"capgraph/testing/heap"
	"capgraph/testing/longtest"
)

// goodFile is a small file that is whole.
type goodFile struct {
	name, format, ext string
	data              []byte
	columns           map[string][]string
	keep              []string
}

// goodFiles are small files in every form that a source has.
func goodFiles(t testing.TB) []goodFile {
	var tsv, jsonl, csv strings.Builder
	csv.WriteString("image_id,region_id,caption,scene_graph\n")
	for i := range 30 {
		fmt.Fprintf(&tsv, "http://a/%d\ta \"red\" bus %d é\n", i, i*i)
		fmt.Fprintf(&jsonl, `{"caption": "a red bus \u00e9 %d", "image": "%d.jpg", "n": [%d, 1.5]}`+"\n", i, i/2, i)
		fmt.Fprintf(&csv, "%d,%d,\"a red bus, %d\",\"( bus:1 , is , red ) , ( bus:1 , v:near , bus )\"\n", i/2, i, i)
	}
	karpathy := `[{"image": "1.jpg", "caption": ["a", "b"]}, {"image": "2.jpg", "caption": "c"}, {"image": "3.jpg", "caption": ["d"]}]`
	original := `{"images": [{"filename": "1.jpg", "cocoid": 7, "split": "train", "sentences": [{"raw": "a", "sentid": 1}, {"raw": "b", "sentid": 2}]}], "dataset": "coco"}`
	coco := `{"info": {"year": 2017}, "images": [{"id": 1, "file_name": "1.jpg"}, {"id": 2}], "annotations": [{"id": 1, "image_id": 2, "caption": "a"}, {"id": 2, "image_id": 1, "caption": "b"}]}`
	var quoted, list, byImage strings.Builder
	quoted.WriteString("image,caption,n\n")
	for i := range 30 {
		fmt.Fprintf(&quoted, "%d.jpg,\"a \"\"red\"\" bus, %d\r\non é\",%d\n", i/2, i, i)
		fmt.Fprintf(&list, `, {"file_name": "%d.jpg", "captions": ["a red bus %d", "a bus é"], "n": NaN}`, i, i)
		fmt.Fprintf(&byImage, `, "%d.jpg": ["a red bus %d", "a bus"], "x%d.jpg": "a blue bus"`, i, i, i)
	}
	mapped := map[string][]string{Caption: {"TEXT"}, Image: {"URL"}}
	keep := []string{"width", "tags", "when"}
	web := webRows(50)
	rows := make([]sidecar, 20)
	for i := range rows {
		text := fmt.Sprint("a red bus ", i)
		rows[i] = sidecar{&text, "u", fmt.Sprintf("%09d", 20-i), "success", 5}
	}
	return []goodFile{
		{"cc12m", "cc12m", "", []byte(tsv.String()), nil, []string{"url"}},
		{"cc12m gzip", "cc12m", "", gzipped(t, []byte(tsv.String())), nil, nil},
		{"cc3m zstd", "cc3m", "", zstded(t, []byte(tsv.String())), nil, nil},
		{"jsonl", "jsonl", "", []byte(jsonl.String()), nil, []string{"n"}},
		{"csv", "csv", "", []byte(quoted.String()), nil, []string{"n"}},
		{"tsv", "tsv", "", []byte(strings.NewReplacer(",", "\t").Replace(quoted.String())), nil, nil},
		{"json list", "json", "", []byte("[" + list.String()[1:] + "]"), nil, []string{"n"}},
		{"json object", "json", "", []byte("{" + byImage.String()[1:] + "}"), nil, nil},
		{"parquet lists", "parquet", "", parquetOf(t, listRows(40), pq.MaxRowsPerRowGroup(15)), nil, []string{"tags"}},
		{"coco", "coco", "", []byte(coco), nil, []string{"file_name"}},
		{"karpathy", "karpathy", "", []byte(karpathy), nil, nil},
		{"karpathy original", "karpathy", "", []byte(original), nil, []string{"split"}},
		{"parquet zstd", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Zstd), pq.MaxRowsPerRowGroup(20)), mapped, keep},
		{"parquet snappy", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Snappy), pq.DataPageVersion(1)), mapped, keep},
		{"parquet plain", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Uncompressed), pq.PageBufferSize(100)), mapped, keep},
		{"parquet gzip", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Gzip)), mapped, keep},
		{"parquet lz4", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Lz4Raw)), mapped, keep},
		{"parquet brotli", "parquet", "", parquetOf(t, web, pq.Compression(&pq.Brotli)), mapped, keep},
		{"parquet delta length", "parquet", "", deltaFile(t, deltaRows(40), &pq.DeltaLengthByteArray, pq.DataPageVersion(1)), nil, []string{"note", "width"}},
		{"parquet delta", "parquet", "", deltaFile(t, deltaRows(40), &pq.DeltaByteArray), nil, []string{"note", "width"}},
		{"img2dataset", "img2dataset", extSidecar, parquetOf(t, rows), nil, []string{"url"}},
		{"webdataset", "webdataset", "", tarOf(t, [2]string{"a.jpg", strings.Repeat("pixels", 200)}, [2]string{"a.txt", "a red bus"},
			[2]string{"b.json", `{"caption": "ein Bus", "width": 5}`}, [2]string{"été.png", "-"}, [2]string{"été.txt", "un café"}), nil, []string{"width"}},
		{"region graphs", "visualgenome", "", []byte(goodRegions), nil, []string{"boxes"}},
		{"scene graphs", "visualgenome", "", []byte(relationshipsJSON), nil, nil},
		{"gqa", "gqa", "", []byte(goodGQA), nil, []string{"boxes", "location"}},
		{"gbc", "gbc", "", []byte(goodGBC + "\n" + goodGBC), nil, []string{"boxes", "vertex"}},
		{"laion-sg", "laion-sg", "", []byte(goodPart(laionGraphs, `, {"triple_id": 1`, "]}]")), nil, []string{"caption_ori"}},
		{"csclip", "csclip", "", []byte(goodPart(unitsGraphs, `, {"image_path": "2`, "]")), nil, nil},
		{"triplets", "triplets", "", []byte(goodPart(tripletGraphs, `,"5": {`, "}}")), nil, []string{"boxes"}},
		{"graphs csv", "graphs", "", []byte(csv.String()), nil, nil},
		{"graphs parquet", "graphs", "", graphsFile(t, []schemas.SceneGraph{busGraph, {}, busGraph}, []string{"a red bus on it", "", "a red bus on it"}, 2), nil, []string{"width"}},
	}
}

// listRow has several captions, and an image as datasets has it.
type listRow struct {
	Image struct {
		Bytes []byte  `parquet:"bytes"`
		Path  *string `parquet:"path,optional"`
	} `parquet:"image,optional"`
	Captions []string `parquet:"captions,list"`
	Tags     string   `parquet:"tags"`
}

func listRows(n int) []listRow {
	rows := make([]listRow, n)
	for i := range rows {
		name := fmt.Sprint(i, ".jpg")
		rows[i].Image.Path, rows[i].Image.Bytes = &name, bytes.Repeat([]byte("pixels"), 100)
		for j := range i % 4 {
			rows[i].Captions = append(rows[i].Captions, fmt.Sprint("a red bus ", i, " ", j))
		}
		rows[i].Tags = "x"
	}
	rows[0].Captions = []string{"a bus"}
	return rows
}

// mutate returns data with a few random changes.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(4) {
		if len(data) == 0 {
			return data
		}
		at := r.IntN(len(data))
		n := min(1+r.IntN(16), len(data)-at)
		switch r.IntN(7) {
		case 0:
			data[at] ^= 1 << r.IntN(8)
		case 1:
			data[at] = byte(r.Uint32())
		case 2:
			data = append(data[:at], data[at+n:]...)
		case 3:
			data = append(data[:at+n], data[at:]...)
		case 4:
			copy(data[at:at+n], bytes.Repeat([]byte{0xff}, n))
		case 5:
			copy(data[at:at+n], data[r.IntN(len(data)):])
		case 6:
			if r.IntN(8) == 0 {
				data = data[:at]
			}
		}
	}
	return data
}

// maxRowAlloc bounds what reading one row may allocate, in bytes: it may be in a batch of
// 8 MiB or in a JSON value of 16 MiB.
const maxRowAlloc = 128 << 20

// survives reads a file that may be anything: each row is a caption or a
// reject and allocates little, and the end is the end of the file or an error of the file.
func survives(t testing.TB, path string, f goodFile) {
	t.Helper()
	opts := Options{Format: f.format, Paths: []string{path}, Columns: f.columns, Keep: f.keep}
	r, err := open(t, opts, schemas.Position{})
	if err == nil {
		defer r.Close()
		var row Row
		for n := int64(1); ; n++ {
			before := heap.Allocated()
			if err = r.Next(&row); err != nil {
				break
			}
			if n := heap.Allocated() - before; n > maxRowAlloc {
				t.Errorf("reading row %d allocated %d MB", row.SourceRow, n>>20)
			}
			if row.Key == "" || row.ImageKey == "" {
				t.Errorf("row %d without key: %+v", n, row)
			}
			if (row.Reject == "") != (len(row.Keep) == len(f.keep)) && len(f.keep) > 0 {
				t.Errorf("row %d has %d kept values: %+v", n, len(row.Keep), row)
			}
			if at := r.Position(); at.Row != n {
				t.Errorf("position %+v after %d rows", at, n)
			}
		}
	}
	var file *FileError
	if !errors.Is(err, io.EOF) && !errors.As(err, &file) {
		t.Errorf("an error that does not name the file: %v", err)
	}
}

// TestMutations reads 1,000 random mutations of each format, and 150 of each of
// its variants.
func TestMutations(t *testing.T) {
	variants := map[string]bool{}
	for _, f := range goodFiles(t) {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in"+f.ext)
			random := rand.New(rand.NewPCG(7, 7))
			mutations := 1000
			if !longtest.Wanted() || variants[f.format] {
				mutations = 150
			}
			variants[f.format] = true
			t.Logf("%d mutations", mutations)
			var before, after runtime.MemStats
			for i := range mutations {
				data := mutate(random, f.data)
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&before)
				survives(t, path, f)
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; n > maxBrokenAlloc {
					t.Errorf("mutation %d: %d MB were allocated for a file of %d bytes", i, n>>20, len(data))
				}
				if t.Failed() {
					t.Fatalf("mutation %d: %q", i, data[:min(len(data), 300)])
				}
			}
		})
	}
}

// TestGoodFiles is the reading of the same files unharmed.
func TestGoodFiles(t *testing.T) {
	for _, f := range goodFiles(t) {
		path := filepath.Join(t.TempDir(), "in"+f.ext)
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := read(t, Options{Format: f.format, Paths: []string{path}, Columns: f.columns, Keep: f.keep}, schemas.Position{})
		if err != nil || len(rows) == 0 || rows[0].Reject != "" || len(rows[0].Keep) != len(f.keep) {
			t.Errorf("%s: %d rows, %v", f.name, len(rows), err)
		}
	}
}
