package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/eval/clip"
	"capgraph/store"
	"capgraph/synth"
	"capgraph/train"
	"capgraph/train/checkpoint"
)

// TestOCCLIP trains with the objective of graphs from another objective's weights: the
// binding is in its weights, not in open_clip's folder, and eval clip scores with it.
func TestOCCLIP(t *testing.T) {
	dir := smallWorld(t)
	graphs := []string{
		"objective.clip.weight=0", "objective.mosaiclip.weight=0", "objective.occlip.weight=1", "model.binding_cfg.width=16", "model.binding_cfg.relation_width=8",
	}
	must(t, trainer(dir, "plain", "steps=4"))
	sets := append(graphs, "model.init=plain/model.safetensors", "model.freeze=[text]", "wise_ft=0.5", "optimiser.groups=[{match: binding, lr: 0.005}]")
	must(t, trainer(dir, "graphs", sets...))
	steps, values := losses(t, dir, "graphs", "metrics.jsonl")
	if len(steps) != 24 || values[23] >= values[0] {
		t.Errorf("losses %v", values)
	}
	for _, term := range []string{`"occlip/itc"`, `"occlip/relation"`, `"occlip/logit_scale"`} {
		if !bytes.Contains(read(t, dir, "graphs", "metrics.jsonl"), []byte(term)) {
			t.Errorf("metrics.jsonl has no %s", term)
		}
	}
	bound := func(names ...string) (n int) {
		r, err := checkpoint.Open(store.Local{}, filepath.ToSlash(filepath.Join(append([]string{dir}, names...)...)))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, i := range r.Infos() {
			if strings.HasPrefix(i.Name, "binding.") {
				n++
			}
		}
		return n
	}
	if bound("graphs", train.WeightsFile) == 0 || bound("graphs", "wise_ft-0.5.safetensors") == 0 || bound("graphs", "open_clip", checkpoint.WeightsFile) != 0 {
		t.Error("the binding is not where it belongs")
	}

	world := filepath.Join(dir, "world")
	measured := func(model string) []clip.Figure {
		out, _ := called(t, "eval", "clip", filepath.Join(dir, model), "--json", "--progress", "none", "--images", synth.TestsDir(world),
			"--benchmark", "sugarcrepe="+synth.TestFile(world, synth.TestWords), "--benchmark", "retrieval="+filepath.Join(world, "run")+",images="+synth.TrainDir(world))
		var report struct{ Figures []clip.Figure }
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatal(err)
		}
		return report.Figures
	}
	with, without := measured("graphs"), measured("graphs/open_clip")
	if len(with) != 3+8 || with[2].Values[0] == without[2].Values[0] {
		t.Errorf("with a binding %+v, without %+v", with, without)
	}

	// A binding is kept by a training that uses it, and left by one that does not.
	must(t, trainer(dir, "on", append(graphs, "model.init=graphs", "model.binding_cfg.width=32", "steps=2")...))
	must(t, trainer(dir, "off", "model.init=graphs", "steps=2"))
	if bound("on", train.WeightsFile) != bound("graphs", train.WeightsFile) || bound("off", train.WeightsFile) != 0 {
		t.Error("the binding is not carried on as it should be")
	}

	dry := trainer(dir, "dry", append(graphs, "batch.size=8")...)
	dry.Args = append(dry.Args, "--dry-run")
	out, err := dry.CombinedOutput()
	if err != nil || !strings.Contains(string(out), ", binding ") || !strings.Contains(string(out), "an image with all graphs") {
		t.Errorf("%v\n%s", err, out)
	}
}
