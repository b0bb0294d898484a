package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// benchRows is how many rows a file of the benchmarks has.
const benchRows = 50_000

// benchFiles are the same captions in every form, five to an image, as those
// of COCO are in length.
func benchFiles(b *testing.B) []goodFile {
	words := strings.Fields("a brown cat is lying on top of an old computer next to two men riding red bikes past the large city bus")
	caption := func(i int) string {
		n := 8 + i%6
		return strings.Join(words[i%(len(words)-n):][:n], " ")
	}
	var tsv, jsonl, csv, coco, karpathy bytes.Buffer
	csv.WriteString("image_id,region_id,caption,scene_graph\n")
	coco.WriteString(`{"images": [`)
	for i := range benchRows / 5 {
		fmt.Fprintf(&coco, `%s{"license": 1, "file_name": "%012d.jpg", "coco_url": "http://images.example.org/%012d.jpg", "height": 480, "width": 640, "id": %d}`, comma(i), i, i, i)
	}
	coco.WriteString(`], "annotations": [`)
	karpathy.WriteString("[")
	web := make([]sidecar, benchRows)
	for i := range benchRows {
		text, image := caption(i), fmt.Sprintf("http://images.example.org/%012d.jpg", i/5)
		fmt.Fprintf(&tsv, "%s\t%s\n", image, text)
		fmt.Fprintf(&jsonl, `{"image": %q, "caption": %q, "width": 640}`+"\n", image, text)
		fmt.Fprintf(&csv, "%d,%d,%s,\"( man , ride , bike ) , ( bike , is , red )\"\n", i/5, i, text)
		fmt.Fprintf(&coco, `%s{"image_id": %d, "id": %d, "caption": %q}`, comma(i), i*7919%(benchRows/5), i, text)
		switch i % 5 {
		case 0:
			fmt.Fprintf(&karpathy, `%s{"image": %q, "caption": [%q`, comma(i), image, text)
		case 4:
			fmt.Fprintf(&karpathy, `, %q]}`, text)
		default:
			fmt.Fprintf(&karpathy, `, %q`, text)
		}
		web[i] = sidecar{&text, image, fmt.Sprintf("%09d", i*7919%benchRows), "success", 640}
	}
	coco.WriteString("]}")
	karpathy.WriteString("]")
	graphs, texts := make([]schemas.SceneGraph, benchRows), make([]string, benchRows)
	for i := range graphs {
		graphs[i], texts[i] = busGraph, "a red bus on the road"
	}
	return []goodFile{
		{"cc12m", "cc12m", "", tsv.Bytes(), nil, nil},
		{"cc12m gzip", "cc12m", "", gzipped(b, tsv.Bytes()), nil, nil},
		{"cc12m zstd", "cc12m", "", zstded(b, tsv.Bytes()), nil, nil},
		{"jsonl", "jsonl", "", jsonl.Bytes(), nil, nil},
		{"coco", "coco", "", coco.Bytes(), nil, nil},
		{"karpathy", "karpathy", "", karpathy.Bytes(), nil, nil},
		{"parquet", "parquet", "", parquetOf(b, web), nil, nil},
		{"img2dataset", "img2dataset", extSidecar, parquetOf(b, web), nil, nil},
		{"graphs csv", "graphs", "", csv.Bytes(), nil, nil},
		{"graphs parquet", "graphs", "", graphsFile(b, graphs, texts, benchRows), nil, nil},
	}
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

// BenchmarkRead reads a file of each form whole, beside a plain read of the
// same bytes that looks for line feeds.
func BenchmarkRead(b *testing.B) {
	for _, f := range benchFiles(b) {
		path := filepath.Join(b.TempDir(), "in"+f.ext)
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			b.Fatal(err)
		}
		files := []File{{Path: path, Size: int64(len(f.data))}}
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(f.data)))
			for b.Loop() {
				r, err := Open(b.Context(), store.Local{}, files[0], Options{Format: f.format}, schemas.Position{})
				if err != nil {
					b.Fatal(err)
				}
				var row Row
				n := 0
				for err = r.Next(&row); err == nil; err = r.Next(&row) {
					n++
				}
				if !errors.Is(err, io.EOF) || n != benchRows {
					b.Fatalf("%d rows, %v", n, err)
				}
				r.Close()
			}
			b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
		})
		b.Run(f.name+"/scan", func(b *testing.B) {
			b.SetBytes(int64(len(f.data)))
			buf := make([]byte, bufferSize)
			for b.Loop() {
				in, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				lines := 0
				for {
					n, err := in.Read(buf)
					lines += bytes.Count(buf[:n], []byte{'\n'})
					if err != nil {
						break
					}
				}
				in.Close()
			}
			b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
