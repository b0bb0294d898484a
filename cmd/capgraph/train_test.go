package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/internal/build"
	"capgraph/store"
	"capgraph/train"
	"capgraph/train/checkpoint"
	"capgraph/train/metrics"
	"capgraph/train/model"
)

// smallWorld renders a world of a few scenes and makes its texts, in a folder with
// the recipe of the root.
func smallWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile("../../train.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.yaml"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	w := train.Defaults().World
	w.Train, w.Heldout, w.Side, w.Dir = 96, 10, 16, filepath.ToSlash(filepath.Join(dir, "world"))
	if err := makeWorld(t.Context(), store.Local{}, w, 2, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// trainer is a call of capgraph train in such a folder: 24 steps of 16 images.
func trainer(dir, out string, sets ...string) *exec.Cmd {
	args := []string{"train", "--progress", "none"}
	for _, set := range append([]string{
		"world.train=96", "world.heldout=10", "world.side=16", "world.dir=world", "output.dir=" + out, "output.checkpoint_every=7",
		"batch.size=16", "epochs=0", "steps=24", "optimiser.warmup=4", "model.vision_cfg.image_size=16",
	}, sets...) {
		args = append(args, "--set", set)
	}
	c := exec.Command("capgraph", args...)
	c.Dir = dir
	return c
}

// read is the content of a file.
func read(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// losses are those of metrics.jsonl, by step.
func losses(t *testing.T, path ...string) (steps []int, values []float64) {
	t.Helper()
	for line := range bytes.Lines(read(t, path...)) {
		var row struct {
			Step int
			Loss *float64
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if row.Loss != nil {
			steps, values = append(steps, row.Step), append(values, *row.Loss)
		}
	}
	return steps, values
}

// TestTrainingIsTheSame trains, with one objective and with all of them in small
// chunks: as it is, with other numbers of processors, killed and stopped on the
// way. Weights and losses have the same bits each time.
func TestTrainingIsTheSame(t *testing.T) {
	dir := smallWorld(t)
	for name, sets := range map[string][]string{
		"mosaiclip": {"objective.mosaiclip.stage1_epochs=2", "objective.mosaiclip.swap=true", "objective.mosaiclip.text_cache=150"},
		"all": {
			"objective.clip.weight=0.5", "objective.negclip.weight=0.3", "objective.negclip.text_cache=40", "objective.ceclip.weight=1", "objective.ceclip.imc_mode=anchored",
			"objective.ceclip.relation_term=true", "objective.occlip.weight=0.5", "objective.csclip.weight=0.5", "objective.c2lip.weight=0.02", "objective.readclip.weight=0.1", "objective.fscclip.weight=0.5", "objective.superclip.weight=0.1", "objective.superclip.classes=512", "objective.margin=2", "batch.chunk_tokens=200", "optimiser.clip_norm=1", "ema.decay=0.9", "evaluate.every=5", "output.keep_best=benchmark", "data.keep_decoded=1",
			"evaluate.benchmarks=[sugarcrepe=world/tests/words.json, retrieval=world/tests/retrieval.json]", "evaluate.images=world/tests",
		},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, trainer(dir, name, sets...))
			want := read(t, dir, name, train.WeightsFile)
			steps, wantLosses := losses(t, dir, name, "metrics.jsonl")
			if len(steps) != 24 || wantLosses[23] >= wantLosses[4] { // by then the text cache is full
				t.Fatalf("steps %v, losses %v", steps, wantLosses)
			}
			same := func(out string) {
				t.Helper()
				if !bytes.Equal(read(t, dir, out, train.WeightsFile), want) {
					t.Errorf("%s: other weights", out)
				}
				again, values := losses(t, dir, out, "metrics.jsonl")
				for i := range values {
					if len(again) != 24 || again[i] != i+1 || values[i] != wantLosses[i] {
						t.Fatalf("%s: steps %v, losses %v, not %v", out, again, values, wantLosses)
					}
				}
			}
			one := trainer(dir, name+"-1", append(sets, "data.workers=3", "data.prefetch=1")...)
			one.Env = append(os.Environ(), "GOMAXPROCS=1")
			must(t, one)
			same(name + "-1")
			for i, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
				out := name + strconv.Itoa(i+2)
				interrupt(t, trainer(dir, out, sets...), filepath.Join(dir, out, "metrics.jsonl"), 9, signal)
				must(t, trainer(dir, out, append(sets, "batch.recompute=blocks")...)) // it may be changed on the way
				same(out)
			}
			must(t, trainer(dir, name, sets...)) // nothing is left to do
			same(name)
			if builds, err := build.Read(store.Local{}, filepath.Join(dir, name, "builds")); err != nil || len(builds) != 1 || builds[0].Platform == "" {
				t.Errorf("it names the builds %v, %v", builds, err)
			}
			states, err := checkpoint.Steps(store.Local{}, filepath.ToSlash(filepath.Join(dir, name, "checkpoints")))
			if err != nil || len(states) < 2 || len(states) > 3 || states[len(states)-1] != 24 || !slices.Contains(states, 21) {
				t.Errorf("checkpoints of steps %v, %v: want the last two, and the best", states, err)
			}
			if name == "all" {
				must(t, trainer(dir, "unaveraged", append(sets, "ema.decay=0", "evaluate.every=0", "output.keep_best=")...))
				if last := read(t, dir, name, train.LastWeightsFile); bytes.Equal(last, want) || !bytes.Equal(last, read(t, dir, "unaveraged", train.WeightsFile)) {
					t.Error("the weights after the last step are the average, or averaging changed them")
				}
				for _, figure := range []string{`"eval/sugarcrepe words accuracy":`, `"eval/retrieval retrieval text to image R@1":`, `"eval/retrieval retrieval image to text R@10":`} {
					if n := bytes.Count(read(t, dir, name, "metrics.jsonl"), []byte(figure)); n != 6 { // before, each 5 steps and after, which the run with nothing left to do measures again
						t.Errorf("metrics.jsonl has %s %d times, want 6", figure, n)
					}
				}
			}
		})
	}
}

// interrupt sends a signal to a training once it has told of so many steps.
func interrupt(t *testing.T, c *exec.Cmd, metrics string, steps int, signal syscall.Signal) {
	t.Helper()
	var out bytes.Buffer
	c.Stderr = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitForSteps(t, metrics, steps)
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		t.Log("it had ended before the signal")
	} else if signal == syscall.SIGTERM && !strings.Contains(out.String(), "run the same command again to resume") {
		t.Errorf("told to stop, it says %q", out.String())
	}
}

// waitForSteps waits until a training has told of so many steps.
func waitForSteps(t *testing.T, metrics string, steps int) {
	t.Helper()
	for range 6000 {
		if data, err := os.ReadFile(metrics); err == nil && bytes.Count(data, []byte("\n")) >= steps {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%s has not come to %d lines", metrics, steps)
}

// TestTrainingThatCannotGoOn makes mistakes and reads what is said of them.
func TestTrainingThatCannotGoOn(t *testing.T) {
	dir := smallWorld(t)
	must(t, trainer(dir, "out"))
	for name, c := range map[string]struct {
		call *exec.Cmd
		code int
		says string
	}{
		"other settings":    {trainer(dir, "out", "optimiser.lr=0.5"), 2, "optimiser.lr was 0.002 and is 0.5; set these back, or set output.dir to another folder"},
		"not finite":        {trainer(dir, "nan", "optimiser.lr=1e30", "optimiser.warmup=0"), 1, "lower optimiser.lr"},
		"no texts":          {trainer(dir, "none", "world.train=0", "data.corpora.texts=nowhere", "data.corpora.images.paths=world/train"), 1, "nowhere"},
		"batch too large":   {trainer(dir, "large", "batch.size=1000"), 1, "96 images"},
		"images elsewhere":  {trainer(dir, "gone", "world.train=0", "data.corpora.texts=world/run", "data.corpora.images={format: folder, paths: world/run}"), 1, "none of the images of world/run exists: image "},
		"another tokenizer": {trainer(dir, "vocab", "model.text_cfg.vocab_size=77"), 1, "model.text_cfg.vocab_size to 0"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := c.call.CombinedOutput()
			if err == nil || c.call.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.says) {
				t.Errorf("exit code %d, not %d: %s", c.call.ProcessState.ExitCode(), c.code, out)
			}
		})
	}
	steps, _ := losses(t, dir, "nan", "metrics.jsonl")
	if len(steps) == 0 || len(steps) > 20 {
		t.Errorf("a training that diverges told of %d steps", len(steps))
	}
}

// TestLoRA learns adapters of trained weights beside a teacher, killed on the way: all but the matrices of blocks stays as
// it was, and the weights have the same bits as without the kill.
func TestLoRA(t *testing.T) {
	dir := smallWorld(t)
	must(t, trainer(dir, "first"))
	sets := []string{"model.init=first/model.safetensors", "tokenizer.vocabulary=first/tokenizer.json", "optimiser.lr=0.01", "lora.rank=2", "ema.decay=0.9", "objective.distill.weight=1"}
	must(t, trainer(dir, "lora", sets...))
	interrupt(t, trainer(dir, "again", sets...), filepath.Join(dir, "again", "metrics.jsonl"), 9, syscall.SIGKILL)
	must(t, trainer(dir, "again", sets...))
	for _, name := range []string{train.WeightsFile, train.LastWeightsFile} {
		if !bytes.Equal(read(t, dir, "lora", name), read(t, dir, "again", name)) {
			t.Errorf("%s differs after a kill", name)
		}
	}
	before, after := readWeights(t, dir, "first/"+train.WeightsFile), readWeights(t, dir, "lora/"+train.WeightsFile)
	for name, x := range after {
		matrix := strings.Contains(name, ".attn.") || strings.Contains(name, ".mlp.")
		changes := name == "logit_scale" || matrix && strings.HasSuffix(name, "weight")
		if reflect.DeepEqual(x, before[name]) == changes {
			t.Errorf("%s: want a change: %v", name, changes)
		}
	}
	if _, values := losses(t, dir, "lora", "metrics.jsonl"); len(values) != 24 {
		t.Errorf("losses %v", values)
	}
	must(t, exec.Command("cp", filepath.Join(dir, "lora", train.WeightsFile), filepath.Join(dir, "first", train.WeightsFile)))
	other := trainer(dir, "again", append(sets, "steps=30")...)
	if out, err := other.CombinedOutput(); err == nil || !strings.Contains(string(out), "the weights of the teacher was") {
		t.Errorf("with other weights in model.init: %v: %s", err, out)
	}
	frozen := trainer(dir, "none", append(sets, "model.freeze=[image, text]")...)
	if out, err := frozen.CombinedOutput(); err == nil || !strings.Contains(string(out), "no tower that is learned") {
		t.Errorf("both towers frozen: %v: %s", err, out)
	}
}

// readWeights returns the weights in a file of dir.
func readWeights(t *testing.T, dir, name string) checkpoint.Weights {
	t.Helper()
	file := filepath.ToSlash(filepath.Join(dir, name))
	c, err := checkpoint.Config(store.Local{}, file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := checkpoint.Load(store.Local{}, file, c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFineTuning goes on from trained weights with a frozen tower: it stays as it
// was, and halfway weights lie between before and after.
func TestFineTuning(t *testing.T) {
	dir := smallWorld(t)
	must(t, trainer(dir, "first"))
	must(t, trainer(dir, "tuned", "model.init=first/model.safetensors", "model.freeze=text", "tokenizer.vocabulary=first/tokenizer.json",
		"optimiser.lr=0.0001", "wise_ft=[0, 0.5, 1]"))
	weights := func(name string) checkpoint.Weights { return readWeights(t, dir, name) }
	before, after := weights("first/model.safetensors"), weights("tuned/model.safetensors")
	for _, name := range []string{"token_embedding.weight", "text_projection", "ln_final.bias"} {
		if !reflect.DeepEqual(before[name], after[name]) {
			t.Errorf("%s of the frozen tower has changed", name)
		}
	}
	const name = "visual.proj"
	x, _ := before[name].Floats()
	y, _ := after[name].Floats()
	half, _ := weights("tuned/wise_ft-0.5.safetensors")[name].Floats()
	changed := false
	for i := range x {
		changed = changed || x[i] != y[i]
		if math.Abs(half[i]-(x[i]+y[i])/2) > 1e-6 {
			t.Fatalf("halfway from %v to %v is %v", x[i], y[i], half[i])
		}
	}
	if !changed {
		t.Error("the image tower has not changed")
	}
	for share, want := range map[string]map[string]checkpoint.Tensor{"0": before, "1": after} {
		if got := weights("tuned/wise_ft-" + share + ".safetensors"); !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("share %s is another model", share)
		}
	}
}

// TestSigmoidHasABias trains with the sigmoid from weights without a bias, and goes on from its own
// with and without the sigmoid. The bias is learned, kept, and left out.
func TestSigmoidHasABias(t *testing.T) {
	dir := smallWorld(t)
	bias := func(name string) (float64, bool) {
		t.Helper()
		c, err := checkpoint.Config(store.Local{}, filepath.ToSlash(filepath.Join(dir, name, train.WeightsFile)))
		if err != nil {
			t.Fatal(err)
		}
		w, err := checkpoint.Load(store.Local{}, filepath.ToSlash(filepath.Join(dir, name, train.WeightsFile)), c)
		if err != nil {
			t.Fatal(err)
		}
		x, ok := w[model.LogitBias].Floats()
		return append(x, 0)[0], ok
	}
	short := []string{"steps=4", "objective.clip.weight=0", "objective.mosaiclip.weight=1"}
	sigmoid := append(short, "objective.mosaiclip.compete=sigmoid", "wise_ft=0.5", "tokenizer.vocabulary=plain/tokenizer.json")
	must(t, trainer(dir, "plain", short...))
	if x, ok := bias("plain"); ok {
		t.Errorf("a model without the sigmoid has a bias, %v", x)
	}
	must(t, trainer(dir, "first", append(sigmoid, "model.init=plain/model.safetensors")...))
	first, ok := bias("first")
	if !ok || first == model.SigLIPBias || math.Abs(first-model.SigLIPBias) > 0.1 {
		t.Fatalf("after four steps the bias is %v, %v", first, ok)
	}
	must(t, trainer(dir, "second", append(sigmoid, "model.init=first/model.safetensors", "optimiser.lr=0")...))
	if second, _ := bias("second"); second != first {
		t.Errorf("the bias goes on from %v, not %v", second, first)
	}
	must(t, trainer(dir, "without", append(short, "model.init=first/model.safetensors", "tokenizer.vocabulary=plain/tokenizer.json")...))
	if x, ok := bias("without"); ok {
		t.Errorf("a model without the sigmoid has kept the bias %v", x)
	}
}

// TestImagesThatAreLeftOut trains on a folder in which an image is missing and
// another is cut off.
func TestImagesThatAreLeftOut(t *testing.T) {
	dir := smallWorld(t)
	folder := filepath.Join(dir, "tars")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(dir, "world", "train"))); err != nil {
		t.Fatal(err)
	}
	tar := read(t, folder, "00000.tar")
	missing, broken := bytes.Index(tar, []byte("000000007.")), bytes.Index(tar, []byte("000000011."))
	if missing < 0 || broken < 0 {
		t.Fatal("the world has other names")
	}
	// A member of another name is as good as none; the header's checksum has to fit.
	rename(tar[missing:missing+512], "000000007", "x00000007")
	copy(tar[broken+512+8:], "garbage")
	if err := os.WriteFile(filepath.Join(folder, "00000.tar"), tar, 0o666); err != nil {
		t.Fatal(err)
	}
	sets := []string{"world.train=0", "data.corpora.texts=world/run", "data.corpora.images.paths=tars", "steps=12"}
	said, err := trainer(dir, "refused", sets...).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "2 images are missing or broken so far, more than data.max_left_out (0.01) allows: the last is 000000011") {
		t.Errorf("%v: %s", err, said)
	}
	c := trainer(dir, "out", append(sets, "data.max_left_out=0.05")...)
	said, err = c.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "left out  1 missing, 2 broken") || !strings.Contains(string(said), "1 of the 96 images are missing and in no batch: out/left_out.tsv lists them") {
		t.Errorf("%v: %s", err, said)
	}
	if !regexp.MustCompile(`(?m)^speed     [0-9,]+ images/s \(steps [0-9,]+, loader [0-9,]+: (loading keeps up|steps wait for images)\)$`).Match(said) {
		t.Errorf("it says nothing of its speed: %s", said)
	}
	if metrics := read(t, dir, "out", "metrics.jsonl"); bytes.Count(metrics, []byte(`,"step_images_per_second":`)) != 12 || bytes.Count(metrics, []byte(`,"loader_images_per_second":`)) != 12 {
		t.Errorf("the metrics have no rates: %s", metrics)
	}
	lines := strings.Split(strings.TrimSpace(string(read(t, dir, "out", train.LeftOutFile))), "\n")
	if len(lines) != 2 || !strings.Contains(strings.Join(lines, "\n"), "000000007\t") || !strings.Contains(strings.Join(lines, "\n"), "000000011\t") {
		t.Errorf("%q", lines)
	}
	// It resumes with the same batches, although the image that was missing is there now.
	want := read(t, dir, "out", "model.safetensors")
	last, err := filepath.Glob(filepath.Join(dir, "out", "checkpoints", "*12*"))
	if err != nil || len(last) == 0 {
		t.Fatalf("%v, %v", last, err)
	}
	for _, name := range append(last, filepath.Join(dir, "out", "model.safetensors")) {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	copy(tar[missing:], read(t, dir, "world", "train", "00000.tar")[missing:missing+512])
	if err := os.WriteFile(filepath.Join(folder, "00000.tar"), tar, 0o666); err != nil {
		t.Fatal(err)
	}
	said, err = trainer(dir, "out", append(sets, "data.max_left_out=0.05")...).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "resuming after step 7") || !bytes.Equal(read(t, dir, "out", "model.safetensors"), want) {
		t.Errorf("it resumes otherwise: %v: %s", err, said)
	}
}

// TestTextsThatChanged resumes a training on texts that were made anew with another seed.
func TestTextsThatChanged(t *testing.T) {
	dir := smallWorld(t)
	sets := []string{"world.train=0", "data.corpora.texts=world/run", "data.corpora.images.paths=world/train", "steps=8", "optimiser.warmup=8"}
	said, err := trainer(dir, "out", sets...).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "optimiser.warmup is 8 steps and the training has 8: the learning rate never reaches optimiser.lr") {
		t.Fatalf("%v: %s", err, said)
	}
	if said, err := trainer(dir, "out", sets...).CombinedOutput(); err != nil {
		t.Fatalf("unchanged: %v: %s", err, said)
	}
	w := train.Defaults().World
	w.Train, w.Heldout, w.Side, w.Dir, w.Seed = 96, 10, 16, filepath.ToSlash(filepath.Join(dir, "other")), 8
	if err := makeWorld(t.Context(), store.Local{}, w, 2, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(filepath.Join(dir, "world", "run"), filepath.Join(dir, "run")), os.Rename(filepath.Join(dir, "other", "run"), filepath.Join(dir, "world", "run"))); err != nil {
		t.Fatal(err)
	}
	said, err = trainer(dir, "out", sets...).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "belongs to another training: the files of texts was ") {
		t.Errorf("%v: %s", err, said)
	}
}

// rename changes the name in a tar's header.
func rename(header []byte, from, to string) {
	copy(header, bytes.Replace(bytes.Clone(header[:100]), []byte(from), []byte(to), 1))
	copy(header[148:156], "        ")
	sum := 0
	for _, b := range header {
		sum += int(b)
	}
	copy(header[148:156], []byte(strings.Repeat("0", 6-len(strconv.FormatInt(int64(sum), 8)))+strconv.FormatInt(int64(sum), 8)+"\x00 "))
}

// TestSummaryAdvisesWhereStepsWait checks that the summary names a remedy if steps wait for images.
func TestSummaryAdvisesWhereStepsWait(t *testing.T) {
	waits := metrics.Pace{Images: 64, Computed: 32 * time.Millisecond, Waited: 32 * time.Millisecond, LoaderTook: 64 * time.Millisecond}
	for _, c := range []struct {
		result train.Result
		want   string
	}{
		{train.Result{Pace: waits, DecodedAgain: true}, "raise data.keep_decoded above 1 (GB"},
		{train.Result{Pace: waits}, "each image is decoded once: store smaller images"},
		{train.Result{Pace: metrics.Pace{Images: 64, Computed: time.Second}, DecodedAgain: true}, "loading keeps up)\nweights"},
	} {
		var out strings.Builder
		(&trainCommand{}).printSummary(&out, &train.Recipe{Data: train.Data{KeepDecoded: 1}}, c.result)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%q lacks %q", &out, c.want)
		}
	}
}
