package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/train"
	"capgraph/train/checkpoint"
)

// TestCOCOToCheckpoint goes the whole way with real images: captions of COCO, their
// texts, 20 steps of all objectives, a checkpoint that loads, its evaluation.
func TestCOCOToCheckpoint(t *testing.T) {
	mini, err := filepath.Abs("../../../shared/data/coco/mini")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mini); err != nil {
		t.Skip("the images of COCO are not at hand:", err)
	}
	dir := t.TempDir()
	call := func(args ...string) string {
		t.Helper()
		var out strings.Builder
		if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: os.Stderr}); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out.String())
		}
		return out.String()
	}
	sets := func(args []string, sets ...string) []string {
		for _, s := range sets {
			args = append(args, "--set", s)
		}
		return args
	}
	captions := filepath.Join(dir, "captions.json")
	onDisk(t, captions, filepath.Join(mini, "images"), filepath.Join(mini, "annotations", "captions_train2017.json"),
		filepath.Join(mini, "annotations", "captions_val2017.json"), filepath.Join(mini, "..", "captions_val2017.json"))
	texts, out := filepath.Join(dir, "coco"), filepath.Join(dir, "out")
	call(sets([]string{"run", "../../pipeline.yaml", "--progress", "none"}, "source.format=coco",
		"source.paths="+captions, "output.dir="+texts)...)
	training := sets([]string{"train", "../../train.yaml", "--progress", "none"}, "world.train=0", "data.corpora.texts="+texts,
		"data.corpora.images.paths="+filepath.Join(mini, "images"), "output.dir="+out, "batch.size=16", "epochs=0", "steps=20",
		"objective.clip.weight=1", "objective.ceclip.weight=1", "objective.ceclip.imc_mode=anchored", "optimiser.warmup=4")
	if said := call(training...); !strings.Contains(said, "76 images, 20 steps of 16") || strings.Contains(said, "left out") {
		t.Errorf("it says %q", said)
	}
	_, values := losses(t, out, "metrics.jsonl")
	if len(values) != 20 || values[19] >= values[0] {
		t.Errorf("losses %v", values)
	}
	c, err := checkpoint.Config(store.Local{}, filepath.Join(out, train.WeightsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(out, train.WeightsFile), filepath.Join(out, "open_clip")} {
		if _, err := checkpoint.Load(store.Local{}, name, c); err != nil {
			t.Error(err)
		}
	}
	table := call("eval", "clip", out, "--compare", filepath.Join(out, train.InitialWeightsFile), "--images", filepath.Join(mini, "images"),
		"--benchmark", "retrieval="+captions, "--progress", "none")
	if !strings.Contains(table, "R@10") || !strings.Contains(table, "76") {
		t.Errorf("the evaluation says %q", table)
	}
	if states, err := checkpoint.Steps(store.Local{}, filepath.Join(out, "checkpoints")); err != nil || len(states) != 1 || states[0] != 20 {
		t.Errorf("checkpoints %v, %v", states, err)
	}
}

// onDisk writes the captions, of several files of COCO, of the images of a folder.
func onDisk(t *testing.T, to, images string, files ...string) {
	t.Helper()
	type image struct {
		ID   int    `json:"id"`
		File string `json:"file_name"`
	}
	type annotation struct {
		ID      int    `json:"id"`
		Image   int    `json:"image_id"`
		Caption string `json:"caption"`
	}
	var kept struct {
		Images      []image      `json:"images"`
		Annotations []annotation `json:"annotations"`
	}
	seen := map[int]bool{}
	for _, name := range files {
		file := kept
		file.Images, file.Annotations = nil, nil
		if err := json.Unmarshal(read(t, name), &file); err != nil {
			t.Fatal(err)
		}
		fresh := map[int]bool{}
		for _, i := range file.Images {
			if _, err := os.Stat(filepath.Join(images, i.File)); err == nil && !seen[i.ID] {
				kept.Images, fresh[i.ID], seen[i.ID] = append(kept.Images, i), true, true
			}
		}
		for _, a := range file.Annotations {
			if fresh[a.Image] {
				kept.Annotations = append(kept.Annotations, a)
			}
		}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
