package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/testing/longtest"
)

var (
	update      = flag.Bool("update", false, "write the golden files anew")
	rubbish     = flag.Int("rubbish", longtest.Pick(4, 2), "how many corpora with random damage are run")
	rubbishSeed = flag.Uint64("rubbish-seed", 1, "seed of the damage")
)

// rubbishFiles are ways of being broken that a person meets, each with the
// source.format that it is read as. What is beside a file comes with it.
var rubbishFiles = []struct {
	name, format string
	make         func(t *testing.T, path string)
}{
	{"empty.tsv", "cc12m", content("")},
	{"nul.tsv", "cc12m", content(strings.Repeat("\x00", 4096))},
	{"long-line.tsv", "cc12m", func(t *testing.T, path string) {
		put(t, path, []byte("u\ta red bus\nu\t"+strings.Repeat("a bus ", 100<<20/6)+"\nv\ta blue bus\n"))
	}},
	{"utf8.tsv", "cc12m", content("u\ta \xff bus\nv\ta red bus\n")},
	{"utf16.tsv", "cc12m", content("\xff\xfeu\x00\t\x00a\x00")},
	{"no-tab.tsv", "cc12m", content("only words\nu\ta red bus\n")},
	{"cut.tsv.gz", "cc12m", func(t *testing.T, path string) { data := zipped(t, 20_000); put(t, path, data[:len(data)/2]) }},
	{"flipped.tsv.gz", "cc12m", func(t *testing.T, path string) {
		data := zipped(t, 20_000)
		data[len(data)/2] ^= 8
		put(t, path, data)
	}},
	{"text.zst", "cc12m", content("\x28\xb5\x2f\xfdnot really")},
	{"folder.tsv", "cc12m", func(t *testing.T, path string) {
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}},
	{"loop.tsv", "cc12m", func(t *testing.T, path string) {
		if err := os.Symlink(filepath.Base(path), path); err != nil {
			t.Fatal(err)
		}
	}},
	{"gone.tsv", "cc12m", func(t *testing.T, path string) {
		if err := os.Symlink("nowhere", path); err != nil {
			t.Fatal(err)
		}
	}},
	{"captions.tar", "cc12m", func(t *testing.T, path string) {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&tar.Header{Name: "a.txt", Size: 9, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("a red bus"))
		w.Close()
		put(t, path, b.Bytes())
	}},
	{"keys.json", "coco", content(`{"images": [{"id": 1, "file_name": "1.jpg"}], "annotations": [{"id": 5, "image_id": 1, "caption": "a red bus"}, {"id": 5, "image_id": 1, "caption": "a blue bus"}, {"id": 6, "image_id": 99, "caption": "a bus"}]}`)},
	{"types.json", "coco", content(`{"images": [{"id": 1, "file_name": "1.jpg"}], "annotations": [{"id": 5, "image_id": 1, "caption": 7}]}`)},
	{"cut.json", "coco", content(`{"images": [{"id": 1}], "annotations": [{"id": 1,`)},
	{"no.json", "coco", content("a red bus")},
	{"deep.json", "karpathy", content(strings.Repeat("[", 100_000))},
	{"no.parquet", "parquet", content("a red bus")},
	{"footer.parquet", "parquet", content("PAR1 nothing \xff\xff\xff\x7fPAR1")},
	{"types.jsonl", "jsonl", content("{\"caption\": [1]}\n{\"caption\": \"a red bus\", \"image\": \"1.jpg\"}\nnot JSON\n")},
	{"sidecar.parquet", "img2dataset", content("PAR1")},
}

func content(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) { put(t, path, []byte(text)) }
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// zipped is a TSV of rows captions that does not compress well.
func zipped(t testing.TB, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for i := range rows {
		fmt.Fprintf(w, "http://a/%d\ta red bus %x\n", i, uint64(i+1)*0x9e3779b97f4a7c15)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRubbish runs the whole program over each broken file: the golden file
// has the exit code, what is said, and where the rows went.
func TestRubbish(t *testing.T) {
	var got strings.Builder
	for _, r := range rubbishFiles {
		dir := workplace(t)
		r.make(t, filepath.Join(dir, r.name))
		c := exec.Command("capgraph", "run", "--only", "parse", "--progress", "none", "--set", "source.format="+r.format,
			"--set", "source.paths="+r.name, "--set", "output.dir=out")
		c.Dir = dir
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, _ := c.Output()
		fmt.Fprintf(&got, "%s (%s): exit %d\n", r.name, r.format, c.ProcessState.ExitCode())
		for _, line := range strings.Split(stderr.String()+string(out), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "look at") {
				fmt.Fprintf(&got, "    %s\n", strings.ToValidUTF8(line, "?"))
			}
		}
		if strings.Contains(stderr.String(), "panic") {
			t.Errorf("%s: %s", r.name, stderr.String())
		}
	}
	golden := "testdata/rubbish.golden"
	if *update {
		put(t, golden, []byte(got.String()))
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestRandomRubbish damages captions at random, in three files of three forms
// beside a whole one: the rows add up, and what is left is a folder in which
// 'capgraph verify' finds nothing wrong but that the files have images in common.
func TestRandomRubbish(t *testing.T) {
	r := rand.New(rand.NewPCG(*rubbishSeed, 1))
	files, failed, rows := 0, 0, int64(0)
	for n := range *rubbish {
		dir := workplace(t)
		tsv, err := os.ReadFile(filepath.Join(dir, "testdata/cc12m.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		damaged := [][]byte{bytes.Clone(tsv), zipped(t, 50), bytes.Repeat(tsv, 2)}
		for i, data := range damaged {
			files++
			for range 1 + r.IntN(40) {
				at := r.IntN(len(data))
				switch r.IntN(3) {
				case 0:
					data[at] = byte(r.Uint32())
				case 1:
					data[at] ^= 1 << r.IntN(8)
				case 2:
					data = append(data[:at], data[min(at+r.IntN(20), len(data)):]...)
				}
			}
			put(t, filepath.Join(dir, fmt.Sprint("damaged", i)), data)
		}
		c := exec.Command("capgraph", "run", "--progress", "none", "--set", "source.paths=[testdata/cc12m.tsv,damaged*]", "--set", "source.on_bad_file=skip", "--set", "source.max_bad_files=1",
			"--set", "output.dir=out", "--set", "negatives.balance.sample=10")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("corpus %d of seed %d: %v\n%s", n, *rubbishSeed, err, out)
		}
		index, err := folder.Folder{Store: store.Local{}, Dir: filepath.Join(dir, "out")}.ReadIndex()
		if err != nil {
			t.Fatal(err)
		}
		rows += index.Rows()
		bad, err := filepath.Glob(filepath.Join(dir, "out/.capgraph/failed/parse/*.json"))
		if err != nil {
			t.Fatal(err)
		}
		failed += len(bad)
		v := exec.Command("capgraph", "verify", "out")
		v.Dir = dir
		out, _ := v.Output()
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "note, images: ") && !strings.HasPrefix(line, "out is whole") {
				t.Errorf("corpus %d of seed %d: %s", n, *rubbishSeed, line)
			}
		}
		if len(out) == 0 {
			t.Errorf("corpus %d of seed %d: verify says nothing", n, *rubbishSeed)
		}
	}
	t.Logf("%d rubbish files, %d rows of rubbish, %d files failed their shard; all rows are accounted for", files, rows, failed)
}
