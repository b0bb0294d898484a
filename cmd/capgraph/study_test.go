package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/testing/longtest"
	"capgraph/train"
	"capgraph/train/benchmarks"
)

const studyFolder = "../../examples/coco-vitb32"

// studyTable reads a table of the example.
func studyTable(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(string(read(t, filepath.Join(studyFolder, name)))) {
		if line = strings.TrimRight(line, "\n"); !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

// TestStudyTables checks the tables of examples/coco-vitb32: the program takes their benchmarks and
// settings, and a published figure has a column and a source.
func TestStudyTables(t *testing.T) {
	var columns []string
	for _, row := range studyTable(t, "benchmarks.tsv") {
		if len(row) != 4 {
			t.Fatalf("benchmarks.tsv: %q", row)
		}
		columns = append(columns, row[1])
		if _, err := benchmarks.ParseTask(strings.ReplaceAll(row[3], "{coco}", "coco")); err != nil {
			t.Errorf("benchmarks.tsv: %s: %v", row[1], err)
		}
	}
	for _, row := range studyTable(t, "published.tsv") {
		if len(row) != 4 || !slices.Contains(columns, row[1]) || row[3] == "" {
			t.Errorf("published.tsv: %q", row)
		}
	}
	for _, row := range studyTable(t, "arms.tsv")[1:] {
		settings := []string{"data.corpora.texts=texts", "data.corpora.images.paths=images", "model.init=x", "output.dir=out", "epochs=1"}
		for s := range strings.SplitSeq(row[2], ";") {
			if !strings.HasPrefix(s, "steps=") {
				settings = append(settings, s)
			}
		}
		if _, err := train.Load(filepath.Join(studyFolder, "train.yaml"), settings); err != nil {
			t.Errorf("arms.tsv: %s: %v", row[0], err)
		}
	}
}

// TestStudy runs examples/coco-vitb32 on images of COCO with a small model, twice: the second call
// trains nothing and writes the same table.
func TestStudy(t *testing.T) {
	mini, err := filepath.Abs("../../../shared/data/coco/mini")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mini); err != nil {
		t.Skip("the images of COCO are not at hand:", err)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("Python is not at hand:", err)
	}
	dir := t.TempDir()
	coco, suites, out := filepath.Join(dir, "coco"), filepath.Join(dir, "benchmarks"), filepath.Join(dir, "out")
	makeStudyData(t, mini, coco, suites)
	checkpoint := makeStudyCheckpoint(t, dir, coco)
	study := func(args ...string) (string, error) {
		args = append([]string{filepath.Join(studyFolder, "study.py"), "--coco", coco, "--init", checkpoint, "--benchmarks", suites, "--out", out, "--batch", "16"}, args...)
		said, err := exec.Command(python, args...).CombinedOutput()
		return string(said), err
	}
	short := []string{"--epochs", "1", "--seeds", "1", "--arms", longtest.Pick("none,clip,clip-equal-time,negclip,default,occlip", "none,clip,default")}
	said, err := study(short...)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"default: measuring a step", "together", "GB of disk, of which", "left out, as their files are not there (benchmarks.tsv): SugarCrepe swap"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	table := string(read(t, filepath.Join(out, "table.md")))
	for _, want := range []string{"|  | SugarCrepe replace |", "| COCO text→image R@1 |", "| default: clip + 0.5 mosaiclip | ", "| *NegCLIP, published* | 85.0 [1] |", "[1] CE-CLIP",
		"Winoground text: 2 images are missing or broken, whose cases were left out."} {
		if !strings.Contains(table, want) {
			t.Errorf("the table has no %q:\n%s", want, table)
		}
	}
	said, err = study(short...)
	if err != nil || strings.Contains(said, "measuring a step") || strings.Contains(said, "steps of 16") || string(read(t, filepath.Join(out, "table.md"))) != table {
		t.Errorf("again: %v\n%s", err, said)
	}
	said, err = study("--epochs", "2", "--seeds", "1", "--arms", "clip")
	if err == nil || !strings.Contains(said, "was trained with other settings (epochs=1, epochs=2)") {
		t.Errorf("with other epochs: %v\n%s", err, said)
	}
	said, err = study("--benchmarks", "nowhere")
	if err == nil || !strings.Contains(said, "study: nowhere is missing") {
		t.Errorf("without the benchmarks: %v\n%s", err, said)
	}
	said, err = study("--arms", "clip2")
	if err == nil || !strings.Contains(said, `'clip2' is not in arms.tsv: none, clip,`) {
		t.Errorf("with an unknown arm: %v\n%s", err, said)
	}
}

// makeStudyData makes a folder as COCO's, of the images that are at hand, and one of benchmarks, with a
// caption of another image as the false one.
func makeStudyData(t *testing.T, mini, coco, suites string) {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(coco, "annotations"), 0o777))
	for _, part := range []string{"train2017", "val2017"} {
		check(os.Symlink(filepath.Join(mini, "images"), filepath.Join(coco, part)))
		onDisk(t, filepath.Join(coco, "annotations", "captions_"+part+".json"), filepath.Join(mini, "images"), filepath.Join(mini, "annotations", "captions_train2017.json"),
			filepath.Join(mini, "annotations", "captions_val2017.json"), filepath.Join(mini, "..", "captions_val2017.json"))
	}
	check(os.MkdirAll(filepath.Join(suites, "winoground", "images"), 0o777)) // without its images
	check(os.WriteFile(filepath.Join(suites, "winoground", "examples.jsonl"), []byte(`{"id": 0, "image_0": "a", "image_1": "b", "caption_0": "a dog and a cat", "caption_1": "a cat and a dog"}`+"\n"), 0o666))
	check(os.MkdirAll(filepath.Join(suites, "sugarcrepe"), 0o777))
	for i, name := range []string{"replace_obj", "replace_att"} {
		pairs := `{"0": {"filename": "000000000790.jpg", "caption": "a man and a dog", "negative_caption": "a clock"},
			"1": {"filename": "000000012280.jpg", "caption": "a red bus", "negative_caption": "a cake"}}`
		pairs = strings.Replace(pairs, "red bus", []string{"red bus", "blue bus"}[i], 1)
		check(os.WriteFile(filepath.Join(suites, "sugarcrepe", name+".json"), []byte(pairs), 0o666))
	}
}

// makeStudyCheckpoint makes a small checkpoint in open_clip's form.
func makeStudyCheckpoint(t *testing.T, dir, coco string) string {
	t.Helper()
	texts, out := filepath.Join(dir, "texts"), filepath.Join(dir, "init")
	for _, args := range [][]string{
		{"run", filepath.Join(studyFolder, "pipeline.yaml"), "--set", "source.paths=" + filepath.Join(coco, "annotations", "captions_val2017.json"), "--set", "output.dir=" + texts},
		{"train", filepath.Join(studyFolder, "train.yaml"), "--set", "data.corpora.texts=" + texts, "--set", "data.corpora.images.paths=" + filepath.Join(coco, "val2017"),
			"--set", "model={embed_dim: 32, vision_cfg: {image_size: 32, patch_size: 16, width: 32, layers: 1, head_width: 16}, text_cfg: {context_length: 77, vocab_size: 49408, width: 32, heads: 2, layers: 1}}",
			"--set", "objective.clip.weight=1", "--set", "output.dir=" + out, "--set", "steps=1", "--set", "batch.size=8"},
	} {
		if said, err := exec.Command("capgraph", append(args, "--progress", "none")...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	return filepath.Join(out, "open_clip")
}
