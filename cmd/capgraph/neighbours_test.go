package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/store"
	"capgraph/synth"
	"capgraph/train"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// untrained writes a small model with random weights, as a training leaves one.
func untrained(t *testing.T, dir string, seed uint64) {
	t.Helper()
	learned, err := tokenizer.Learn(func(yield func(string) bool) {
		for _, c := range []string{"a red square is above a blue circle", "a green star is left of a yellow triangle"} {
			for range 9 {
				if !yield(c) {
					return
				}
			}
		}
	}, 600)
	if err != nil {
		t.Fatal(err)
	}
	if learned, err = learned.WithContext(32); err != nil {
		t.Fatal(err)
	}
	if err := learned.Save(store.Local{}, filepath.Join(dir, train.TokenizerFile)); err != nil {
		t.Fatal(err)
	}
	c, err := model.Parse([]byte(`{"embed_dim": 16, "vision_cfg": {"image_size": 16, "patch_size": 8, "width": 16, "layers": 1, "head_width": 8},
		"text_cfg": {"context_length": 32, "vocab_size": 600, "width": 16, "heads": 2, "layers": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	c.Text.VocabSize = learned.Size()
	w := checkpoint.Weights{}
	for _, s := range model.Parameters(c) {
		x := make([]float64, s.Len())
		s.Initialise(seed, x)
		w[s.Name] = checkpoint.Float32([]int{s.Rows, s.Cols}, x)
	}
	if err := checkpoint.SaveWeights(store.Local{}, filepath.Join(dir, train.WeightsFile), c, w); err != nil {
		t.Fatal(err)
	}
}

// called runs a command that must do well, and returns what it wrote.
func called(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &o, err: &e}); code != 0 {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, o.String(), e.String())
	}
	return o.String(), e.String()
}

func TestNeighboursAreReadAndAreTheNearest(t *testing.T) {
	dir := smallWorld(t)
	untrained(t, dir, 1)
	texts, images, file := filepath.Join(dir, "world", "run"), synth.TrainDir(filepath.Join(dir, "world")), filepath.Join(dir, "near.tsv")
	called(t, "neighbours", dir, texts, "--images", images, "-o", file, "--progress", "none", "-k", "4")
	if _, err := loader.ReadNeighbours(bytes.NewReader(read(t, file))); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "images.parquet")
	called(t, "embed", dir, "--of", texts, "--images", images, "-o", table, "--progress", "none")
	features := map[string][]float64{}
	var keys []string
	for _, r := range rowsOf(t, table) {
		features[r.Key] = r.numbers()
		keys = append(keys, r.Key)
	}
	lines := strings.Split(strings.TrimSuffix(string(read(t, file)), "\n"), "\n")
	if len(lines) != 96 || len(keys) != 96 {
		t.Fatalf("%d lines, %d features", len(lines), len(keys))
	}
	cosine := func(a, b string) (sum float64) {
		for i, x := range features[a] {
			sum += x * features[b][i]
		}
		return sum
	}
	before := ""
	for _, line := range lines {
		names := strings.Split(line, "\t")
		own, others := names[0], names[1:]
		if len(others) != 4 || own <= before {
			t.Fatalf("line %q after %q", line, before)
		}
		before = own
		seen := map[string]bool{own: true}
		for i, o := range others {
			if seen[o] || i > 0 && cosine(own, o) > cosine(own, others[i-1])+1e-6 {
				t.Errorf("%s: %v are not the nearest first", own, others)
			}
			seen[o] = true
		}
		for _, k := range keys {
			if !seen[k] && cosine(own, k) > cosine(own, others[3])+1e-6 {
				t.Errorf("%s: %s is nearer than %s", own, k, others[3])
			}
		}
	}
	again := filepath.Join(dir, "again.tsv")
	called(t, "neighbours", dir, texts, "--images", images, "-o", again, "--progress", "none", "-k", "4")
	if !bytes.Equal(read(t, again), read(t, file)) {
		t.Error("they are others the second time")
	}
}

// embedded is a row of capgraph embed.
type embedded struct {
	Key     string    `parquet:"key"`
	Feature []float32 `parquet:"feature,list"`
}

func (e embedded) numbers() (x []float64) {
	for _, v := range e.Feature {
		x = append(x, float64(v))
	}
	return x
}

func rowsOf(t *testing.T, name string) []embedded {
	t.Helper()
	rows, err := parquet.ReadFile[embedded](name)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return rows
}

func TestEmbed(t *testing.T) {
	dir := t.TempDir()
	untrained(t, dir, 2)
	lines, out := filepath.Join(dir, "texts.txt"), filepath.Join(dir, "texts.parquet")
	if err := os.WriteFile(lines, []byte("a red square\n\na blue circle é\na red square\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs := called(t, "embed", dir, "--texts", lines, "-o", out, "--progress", "none", "--device", "cpu"); strings.Contains(errs, "computing on") {
		t.Errorf("asked for the CPU, it says %s", errs)
	}
	rows := rowsOf(t, out)
	if len(rows) != 3 || rows[1].Key != "a blue circle é" || binary.Size(rows[0].Feature) != 64 {
		t.Fatalf("%v", rows)
	}
	var square float64
	for _, x := range rows[0].numbers() {
		square += x * x
	}
	if math.Abs(square-1) > 1e-6 || rows[0].Feature[3] != rows[2].Feature[3] || rows[0].Feature[3] == rows[1].Feature[3] {
		t.Errorf("%v", rows)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"embed DIR --texts DIR/texts.txt -o DIR/texts.parquet", "exists already"},
		{"embed DIR --texts DIR/texts.txt --device gpu -o DIR/x", `device: "gpu" is none of auto, cpu, cuda`},
		{"embed DIR --texts DIR/texts.txt --device cuda:9999 -o DIR/x", "device is cuda:9999: "},
		{"embed DIR -o DIR/x", "want --images PATH, or --texts FILE"},
		{"embed DIR --images DIR/empty -o DIR/x", "contains no images"},
		{"embed DIR --texts DIR/texts.txt --tokenizer DIR/none.json -o DIR/x", "none.json: no such file"},
		{"embed DIR/none --texts DIR/texts.txt -o DIR/x", "none: no such file"},
		{"neighbours DIR DIR -o DIR/x", "--images is missing"},
		{"neighbours DIR DIR/empty --images DIR/empty -o DIR/x", "has no texts/*.parquet"},
	} {
		var errs bytes.Buffer
		args := strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))
		if code := run(t.Context(), append(args, "--progress", "none"), streams{out: io.Discard, err: &errs}); code == 0 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, errs.String())
		}
		if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
			t.Errorf("%s: it wrote a file", c.args)
		}
	}
}
