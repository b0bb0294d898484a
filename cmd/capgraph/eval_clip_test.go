package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/eval/clip"
	"capgraph/synth"
)

func TestEvalClip(t *testing.T) {
	dir := smallWorld(t)
	before, after := filepath.Join(dir, "before"), filepath.Join(dir, "after")
	untrained(t, before, 1)
	untrained(t, after, 2)
	world := filepath.Join(dir, "world")
	pairs, held := synth.TestFile(world, synth.TestWords), synth.TestsDir(world)
	labels := filepath.Join(dir, "labels.csv")
	var b strings.Builder
	b.WriteString("image,label\nmissing.png,odd\n")
	for i := range 10 {
		fmt.Fprintf(&b, "words/%06d.png,%s\n", i, []string{"even", "odd"}[i%2])
	}
	if err := os.WriteFile(labels, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	order := filepath.Join(dir, "order.json")
	if err := os.WriteFile(order, []byte(`[{"image": "words/000000.png", "caption": "a red circle and a blue square"}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	on := []string{
		"--benchmark", "aro-order=" + order,
		"--benchmark", "sugarcrepe=" + pairs, "--benchmark", "retrieval=" + filepath.Join(world, "run") + ",images=" + synth.TrainDir(world),
		"--benchmark", "zeroshot=" + labels, "--benchmark", "tree-score=" + filepath.Join(world, "run"), "--images", held, "--progress", "none",
	}
	file := filepath.Join(dir, "page.html")
	out, errs := called(t, append([]string{"eval", "clip", after, "--compare", before, "--html", file}, on...)...)
	for _, want := range []string{"aro-order order", "sugarcrepe words", "retrieval run", "text to image R@10", "zeroshot labels", "top-1", "tree-score run", "spans alone from layer 0", "difference", "10 (1 images broken)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if !strings.Contains(errs, "zeroshot labels: 1 image is missing or broken") || !strings.Contains(errs, "missing.png") {
		t.Errorf("of a missing image it says %q", errs)
	}
	page := string(read(t, file))
	for _, want := range []string{"data:image/jpeg;base64,", "sugarcrepe words", "The most wrong cases", "missing.png"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	for _, from := range []string{`src="http`, `href="http`, "url(", "@import"} {
		if strings.Contains(page, from) {
			t.Errorf("the page fetches something: %s", from)
		}
	}

	out, _ = called(t, append([]string{"eval", "clip", after, "--json"}, on...)...)
	var report struct {
		Models  []string
		Figures []clip.Figure
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Models) != 1 || len(report.Figures) != 1+3+8+2+1 {
		t.Fatalf("%v, %d figures\n%s", err, len(report.Figures), out)
	}
	again, _ := called(t, append([]string{"eval", "clip", after, "--json"}, on...)...)
	if again != out {
		t.Error("it measures otherwise the second time")
	}
	results := filepath.Join(dir, "results")
	called(t, append([]string{"eval", "clip", after, "--compare", before, "--results", results}, on...)...)
	for _, name := range []string{"before", "after"} {
		if found, err := filepath.Glob(filepath.Join(results, "clip_benchmark", "labels_*"+name+"_zeroshot_classification.json")); err != nil || len(found) != 1 {
			t.Errorf("of %s: %q, %v", name, found, err)
		}
		found, err := filepath.Glob(filepath.Join(results, "mteb", "*"+name, "SugarCrepe.json"))
		if err != nil || len(found) != 1 || !strings.Contains(string(read(t, found[0])), `"text_acc": `) {
			t.Errorf("of %s: %q, %v", name, found, err)
		}
	}
	one, _ := called(t, append([]string{"eval", "clip", after, "--wise-ft", before, "--alphas", "0,1", "--json"}, on...)...)
	if err := json.Unmarshal([]byte(one), &report); err != nil || len(report.Models) != 2 || report.Models[1] != "alpha 1" {
		t.Fatal(err, report.Models)
	}
	if v := report.Figures[3].Values; v[0] == v[1] {
		t.Error("the weights between are those of the model")
	}
}

func TestEvalClipRefuses(t *testing.T) {
	dir := t.TempDir()
	untrained(t, dir, 1)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "--benchmark is missing: want KIND=FILE"},
		{"--benchmark sugarcrepe", exitUsage, "names no file"},
		{"--benchmark mmlu=x", exitUsage, `no benchmark is called "mmlu"`},
		{"--benchmark sugarcrepe=x,classes=y", exitUsage, "classes is not used by sugarcrepe"},
		{"--benchmark sugarcrepe=x,split=test", exitUsage, "split is not used by sugarcrepe"},
		{"--benchmark retrieval=x,split=", exitUsage, "want KEY=VALUE"},
		{"--benchmark tree-score=x,images=y", exitUsage, "images is not used by tree-score"},
		{"--benchmark tree-score=DIR/x.json", exitFailed, "x.json: no such file"},
		{"--benchmark sugarcrepe=x,images", exitUsage, "want KEY=VALUE"},
		{"--benchmark sugarcrepe=x --compare a --wise-ft b", exitUsage, "not both"},
		{"--benchmark sugarcrepe=x --alphas 2", exitUsage, "--alphas: 2: want 0 to 1"},
		{"--benchmark sugarcrepe=DIR/x.json", exitFailed, "its images are not named"},
		{"--benchmark sugarcrepe=DIR/x.json --images DIR", exitFailed, "x.json: no such file"},
		{"--benchmark sugarcrepe=DIR/x.json --images DIR/nowhere", exitFailed, "nowhere: no such file"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"eval", "clip", dir, "--progress", "none"}, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		if code := run(t.Context(), args, streams{out: &out, err: &errs}); code != c.code || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, errs.String(), out.String())
		}
	}
}

func TestEvalHalfTruths(t *testing.T) {
	dir := smallWorld(t)
	model, world, file := filepath.Join(dir, "model"), filepath.Join(dir, "world"), filepath.Join(dir, "half.jsonl")
	untrained(t, model, 1)
	_, errs := called(t, "eval", "halftruths", filepath.Join(world, "run"), "--images", synth.TrainDir(world), "--limit", "20", "-o", file)
	if !strings.Contains(errs, "half.jsonl: 20 cases of 96 captions") {
		t.Errorf("it says %q", errs)
	}
	out, errs := called(t, "eval", "clip", model, "--images", synth.TrainDir(world), "--benchmark", "half-truths="+file, "--progress", "none")
	for _, want := range []string{"half-truths half", "half-truth accuracy", "correct-ordering rate"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if errs != "" {
		t.Errorf("eval clip warns: %s", errs)
	}
	for args, want := range map[string]string{
		"DIR/nowhere -o DIR/x": "nowhere: no such file", "DIR -o DIR/x": "has no texts/*.parquet", "DIR -o DIR/x --limit=-1": "--limit=-1: want 0 or more",
		"DIR/world/run -o DIR/half.jsonl": "exists already",
	} {
		var out, errs bytes.Buffer
		call := append([]string{"eval", "halftruths"}, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
		if code := run(t.Context(), call, streams{out: &out, err: &errs}); code == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q", args, code, errs.String())
		}
	}
}
