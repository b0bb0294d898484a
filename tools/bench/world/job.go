package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"capgraph/store"
	"capgraph/synth"
	"capgraph/tools/bench/world/emoji"
)

// grid has the jobs to run, and their place.
type grid struct {
	binary, recipe, pipeline, dir string
	packages                      string // the folder of the npm packages' tarballs
	seeds, steps, scenes, tests   int    // 0 steps or scenes: the world's own
}

// job is the training and the measuring of one arm of one study with one seed.
type job struct {
	study
	arm
	seed int
}

// result is the result of a job: figures by test, shares of 1.
type result struct {
	After map[string]float64 `json:"after"`
	Wise  map[string]float64 `json:"wise,omitempty"`
}

// world is the folder of a world and its seed, and texts the folder of a variant.
func (g *grid) world(kind string, seed int) string {
	return filepath.Join(g.dir, fmt.Sprintf("%s-%d", kind, seed))
}

func (g *grid) texts(kind string, seed int, variant string) string {
	return filepath.Join(g.world(kind, seed), "texts", strings.ReplaceAll("as they are "+variant, " ", "-"))
}

// outputFolder returns the folder of a job, named by what it does, so that studies share it.
func (g *grid) outputFolder(j job) string {
	return filepath.Join(g.world(j.world, j.seed), "runs", j.key(g)[:16])
}

// key is the hash of all that a job's figures depend on but the program.
func (j job) key(g *grid) string {
	what, _ := json.Marshal([]any{j.world, j.seed, j.texts, j.arm.set, j.study.set, j.wise, j.from, j.steps(g), g.scenesOf(j.world), g.tests})
	sum := sha256.Sum256(what)
	return hex.EncodeToString(sum[:])
}

func (j job) steps(g *grid) int {
	steps := cmp.Or(g.steps, worldOf(j.world).steps)
	return int(float64(steps) * j.study.share * cmp.Or(j.arm.share, 1))
}

func (g *grid) scenesOf(world string) int { return cmp.Or(g.scenes, worldOf(world).scenes) }

// estimate is how long a job takes on one core, in seconds.
func (j job) estimate(g *grid) float64 {
	return j.seconds*worldOf(j.world).cost*float64(j.steps(g)*batch)/1000 + float64(g.tests)/100
}

// readResult returns a job's result, nil if it is not there.
func (g *grid) readResult(j job) (*result, error) {
	data, err := os.ReadFile(resultFile(g.outputFolder(j)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(result)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w (remove the folder)", g.outputFolder(j), err)
	}
	return r, nil
}

func resultFile(out string) string { return filepath.Join(out, "result.json") }

// prepare makes a job's world and its texts, unless they are there. It is for one job at a time.
func (g *grid) prepare(ctx context.Context, j job) error {
	w, dir := worldOf(j.world), g.world(j.world, j.seed)
	if err := w.make(ctx, g, dir, j.seed, g.scenesOf(j.world)); err != nil {
		return err
	}
	if j.texts != rightTexts {
		return g.run(ctx, j, j.texts)
	}
	out := g.texts(j.world, j.seed, j.texts)
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := g.run(ctx, j, ""); err != nil {
		return err
	}
	return emoji.WriteRightTexts(dir, g.texts(j.world, j.seed, ""), out)
}

// run makes a variant of the texts of a job's world.
func (g *grid) run(ctx context.Context, j job, variant string) error {
	dir := g.world(j.world, j.seed)
	settings := []string{"seed=" + strconv.Itoa(j.seed), "output.dir=" + g.texts(j.world, j.seed, variant)}
	for _, s := range slices.Concat(worldOf(j.world).source, variants[variant]) {
		settings = append(settings, strings.ReplaceAll(s, "{world}", dir))
	}
	return g.capgraph(ctx, nil, append([]string{"run", g.pipeline, "--progress", "none"}, sets(settings)...)...)
}

// runJob trains and measures, unless that is done.
func (g *grid) runJob(ctx context.Context, j job) (*result, error) {
	if r, err := g.readResult(j); r != nil || err != nil {
		return r, err
	}
	if err := g.train(ctx, j); err != nil {
		return nil, err
	}
	r, out := new(result), g.outputFolder(j)
	var err error
	if r.After, err = g.measure(ctx, j, out); err != nil {
		return nil, err
	}
	if j.wise {
		if r.Wise, err = g.measure(ctx, j, filepath.Join(out, "wise_ft-0.5.safetensors")); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := store.ReplaceFile(store.Local{}, resultFile(out), data); err != nil {
		return nil, err
	}
	return r, os.RemoveAll(filepath.Join(out, "checkpoints"))
}

// train trains a job's model; it goes on where it was stopped.
func (g *grid) train(ctx context.Context, j job) error {
	settings := append([]string{
		"seed=" + strconv.Itoa(j.seed), "world.train=0", "data.corpora.texts=" + g.texts(j.world, j.seed, j.texts),
		"data.corpora.images.paths=" + synth.TrainDir(g.world(j.world, j.seed)), "output.dir=" + g.outputFolder(j), "output.keep=1",
		"epochs=0", "steps=" + strconv.Itoa(j.steps(g)), "batch.size=" + strconv.Itoa(batch), "data.workers=1",
	}, slices.Concat(base, worldOf(j.world).set)...)
	if j.from != "" {
		settings = append(settings, "model.init="+filepath.Join(g.outputFolder(g.parent(j)), "model.safetensors"), "tokenizer.vocabulary="+g.tokenizer(j))
	}
	if j.wise {
		settings = append(settings, "wise_ft=0.5")
	}
	settings = append(append(settings, j.study.set...), j.arm.set...)
	return g.capgraph(ctx, nil, append([]string{"train", g.recipe, "--progress", "none"}, sets(settings)...)...)
}

// tokenizer is the file of the tokenizer that a job's model has: one that begins
// with another's weights has that one's.
func (g *grid) tokenizer(j job) string {
	if j.from != "" {
		j = g.parent(j)
	}
	return filepath.Join(g.outputFolder(j), "tokenizer.json")
}

// measure returns the figures of a model on the tests of a job's world.
func (g *grid) measure(ctx context.Context, j job, model string) (map[string]float64, error) {
	w, dir := worldOf(j.world), g.world(j.world, j.seed)
	args := []string{"eval", "clip", model, "--tokenizer", g.tokenizer(j), "--json", "--progress", "none", "--images", synth.TestsDir(dir)}
	for kind, tests := range map[string][]string{"retrieval": w.retrieval, "sugarcrepe": w.tests} {
		for _, test := range tests {
			file := synth.TestFile(dir, test)
			if _, err := os.Stat(file); err == nil { // a small world may lack a test
				args = append(args, "--benchmark", kind+"="+file)
			}
		}
	}
	var out bytes.Buffer
	if err := g.capgraph(ctx, &out, args...); err != nil {
		return nil, err
	}
	var told struct {
		Figures []struct {
			Benchmark, Metric string
			Values            []struct{ Value float64 }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &told); err != nil {
		return nil, fmt.Errorf("capgraph eval clip --json: %w", err)
	}
	figures := map[string]float64{}
	for _, f := range told.Figures {
		kind, test, _ := strings.Cut(f.Benchmark, " ")
		switch {
		case kind == "sugarcrepe" && f.Metric == "accuracy":
			figures[test] = f.Values[0].Value
		case strings.HasSuffix(f.Metric, "R@1"):
			figures[test+" "+f.Metric] = f.Values[0].Value
		}
	}
	return figures, nil
}

// sets are settings as a command takes them.
func sets(settings []string) (args []string) {
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	return args
}

// capgraph runs the program on one core; its output goes to out, or away.
func (g *grid) capgraph(ctx context.Context, out *bytes.Buffer, args ...string) error {
	cmd := exec.CommandContext(ctx, g.binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var told bytes.Buffer
	cmd.Stderr = &told
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", g.binary, strings.Join(args, " "), err, told.String())
	}
	return nil
}
