package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/kernels/cpu"
	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/features"
	"capgraph/train/model"
)

// TestSigLIP fine-tunes a small model of SigLIP's form, with the tokenizer.json beside its weights, and
// opens the result. Other tokenizers are refused.
func TestSigLIP(t *testing.T) {
	dir := smallWorld(t)
	c, err := model.Parse([]byte(`{"embed_dim": 16, "init_logit_bias": -10,
		"vision_cfg": {"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map", "timm_proj": "none", "image_size": 16, "patch_size": 4, "width": 16, "head_width": 8, "layers": 2},
		"text_cfg": {"context_length": 16, "vocab_size": 300, "width": 16, "heads": 2, "layers": 2, "hf_tokenizer_name": "timm/ViT-B-16-SigLIP",
			"tokenizer_kwargs": {"clean": "canonicalize"}, "no_causal_mask": true, "proj_bias": true, "pool_type": "last", "norm_kwargs": {"eps": 1e-6}}}`))
	if err != nil {
		t.Fatal(err)
	}
	w := checkpoint.Weights{}
	for _, s := range model.Parameters(c) {
		x := make([]float64, s.Len())
		s.Initialise(1, x)
		w[s.Name] = checkpoint.Float32([]int{s.Rows, s.Cols}, x)
	}
	folder := filepath.Join(dir, "siglip")
	if err := checkpoint.Export(store.Local{}, filepath.ToSlash(folder), c, w); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "tokenizer.json"), read(t, "../../train/tokenizer/testdata/unigram.json"), 0o666); err != nil {
		t.Fatal(err)
	}
	recipe := "world: {train: 96, heldout: 10, side: 16, dir: world}\nmodel: {init: siglip}\nobjective: {siglip: {weight: 1}}\n" +
		"optimiser: {warmup: 2}\nbatch: {size: 16}\nsteps: 4\noutput: {dir: out}\ntokenizer: {kind: unigram}\n"
	if err := os.WriteFile(filepath.Join(dir, "train.yaml"), []byte(recipe), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(sets ...string) *exec.Cmd {
		args := []string{"train", "--progress", "none"}
		for _, set := range sets {
			args = append(args, "--set", set)
		}
		cmd := exec.Command("capgraph", args...)
		cmd.Dir = dir
		return cmd
	}
	out, err := run("output.dir=other", "tokenizer.kind=clip").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "set tokenizer.kind to unigram") {
		t.Errorf("CLIP's tokenizer: %v: %s", err, out)
	}
	must(t, run())
	if steps, _ := losses(t, dir, "out", "metrics.jsonl"); len(steps) != 4 {
		t.Errorf("losses of steps %v", steps)
	}
	for _, name := range []string{"tokenizer.json", "tokenizer_config.json"} {
		if len(read(t, dir, "out", "open_clip", name)) == 0 {
			t.Errorf("open_clip/%s is empty", name)
		}
	}
	for _, name := range []string{"out", "out/open_clip", "siglip"} {
		d := cpu.New()
		defer d.Close()
		m, err := features.Open(store.Local{}, d, filepath.ToSlash(filepath.Join(dir, name)), features.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows, err := m.AppendTexts(nil, []string{"a red circle", "a blue square"})
		if err != nil || len(rows) != 32 || rows[0] == rows[16] {
			t.Errorf("%s: features %v, %v", name, rows, err)
		}
		m.Free()
	}
}
