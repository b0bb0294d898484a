package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/synth"
)

// TestTrainOnTarsWithoutSidecars makes texts of plain tars, and joins them with the
// images in the same tars.
func TestTrainOnTarsWithoutSidecars(t *testing.T) {
	dir := smallWorld(t)
	tars := synth.TrainDir(filepath.Join(dir, "world"))
	sidecars, err := filepath.Glob(filepath.Join(tars, "*.parquet"))
	if err != nil || len(sidecars) == 0 {
		t.Fatal("the world has no sidecars", err)
	}
	for _, name := range sidecars {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	call := func(args ...string) string {
		t.Helper()
		var out strings.Builder
		if code := run(t.Context(), append(args, "--progress", "none"), streams{in: strings.NewReader(""), out: &out, err: os.Stderr}); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out.String())
		}
		return out.String()
	}
	texts := filepath.Join(dir, "texts")
	call("run", "../../pipeline.yaml", "--set", "source.format=webdataset", "--set", "source.paths="+tars, "--set", "output.dir="+texts)
	said := call("train", filepath.Join(dir, "train.yaml"), "--set", "world.train=0", "--set", "data.corpora.texts="+texts,
		"--set", "data.corpora.images.paths="+tars, "--set", "output.dir="+filepath.Join(dir, "out"), "--set", "batch.size=16",
		"--set", "epochs=0", "--set", "steps=3", "--set", "optimiser.warmup=1", "--set", "model.vision_cfg.image_size=16")
	if !strings.Contains(said, "96 images, 3 steps of 16") || strings.Contains(said, "left out") {
		t.Errorf("it says %q", said)
	}
}
