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

// grid has the settings of all jobs, and the folders that they use.
type grid struct {
	binary, recipe, pipeline, dir string
	packages                      string // the folder of the npm packages' tarballs
	seeds, steps, scenes, tests   int    // 0 steps or scenes: the world's own
}

// job is training and measuring one arm of one study with one seed.
type job struct {
	study
	arm
	seed int
}

// result is the result of a job: figures by test, as shares from 0 to 1.
type result struct {
	After map[string]float64 `json:"after"`
	Wise  map[string]float64 `json:"wise,omitempty"`
}

// worldFolder returns the folder of a world and seed, and textsFolder that of a variant of its
// texts.
func (g *grid) worldFolder(kind string, seed int) string {
	return filepath.Join(g.dir, fmt.Sprintf("%s-%d", kind, seed))
}

func (g *grid) textsFolder(kind string, seed int, variant string) string {
	return filepath.Join(g.worldFolder(kind, seed), "texts", strings.ReplaceAll("as they are "+variant, " ", "-"))
}

// outputFolder returns the folder of a job. It is named after the job's settings, so that studies
// with the same job share it.
func (g *grid) outputFolder(j job) string {
	return filepath.Join(g.worldFolder(j.world, j.seed), "runs", j.key(g)[:16])
}

// key returns a hash of all that a job's figures depend on, except the program.
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

// estimate returns the time of a job on one core, in seconds.
func (j job) estimate(g *grid) float64 {
	return j.seconds*worldOf(j.world).cost*float64(j.steps(g)*batch)/1000 + float64(g.tests)/100
}

// readResult returns a job's result, or nil if it has none yet.
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

// prepare makes a job's world and its texts, unless they exist. It must not run for several jobs at
// a time.
func (g *grid) prepare(ctx context.Context, j job) error {
	w, dir := worldOf(j.world), g.worldFolder(j.world, j.seed)
	if err := w.make(ctx, g, dir, j.seed, g.scenesOf(j.world)); err != nil {
		return err
	}
	if j.texts != rightTexts {
		return g.makeTexts(ctx, j, j.texts)
	}
	out := g.textsFolder(j.world, j.seed, j.texts)
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := g.makeTexts(ctx, j, ""); err != nil {
		return err
	}
	return emoji.WriteRightTexts(dir, g.textsFolder(j.world, j.seed, ""), out)
}

// makeTexts makes a variant of the texts of a job's world.
func (g *grid) makeTexts(ctx context.Context, j job, variant string) error {
	dir := g.worldFolder(j.world, j.seed)
	settings := []string{"seed=" + strconv.Itoa(j.seed), "output.dir=" + g.textsFolder(j.world, j.seed, variant)}
	for _, s := range slices.Concat(worldOf(j.world).source, variants[variant]) {
		settings = append(settings, strings.ReplaceAll(s, "{world}", dir))
	}
	return g.runCapgraph(ctx, nil, append([]string{"run", g.pipeline, "--progress", "none"}, setFlags(settings)...)...)
}

// runJob trains and measures, unless the job has a result.
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

// train trains a job's model. It continues an interrupted training.
func (g *grid) train(ctx context.Context, j job) error {
	settings := append([]string{
		"seed=" + strconv.Itoa(j.seed), "world.train=0", "data.corpora.texts=" + g.textsFolder(j.world, j.seed, j.texts),
		"data.corpora.images.paths=" + synth.TrainDir(g.worldFolder(j.world, j.seed)), "output.dir=" + g.outputFolder(j), "output.keep=1",
		"epochs=0", "steps=" + strconv.Itoa(j.steps(g)), "batch.size=" + strconv.Itoa(batch), "data.workers=1",
	}, slices.Concat(base, worldOf(j.world).set)...)
	if j.from != "" {
		settings = append(settings, "model.init="+filepath.Join(g.outputFolder(g.parent(j)), "model.safetensors"), "tokenizer.vocabulary="+g.tokenizerFile(j))
	}
	if j.wise {
		settings = append(settings, "wise_ft=0.5")
	}
	settings = append(append(settings, j.study.set...), j.arm.set...)
	return g.runCapgraph(ctx, nil, append([]string{"train", g.recipe, "--progress", "none"}, setFlags(settings)...)...)
}

// tokenizerFile returns the file of a job's tokenizer. A model that begins with another job's
// weights has that job's tokenizer.
func (g *grid) tokenizerFile(j job) string {
	if j.from != "" {
		j = g.parent(j)
	}
	return filepath.Join(g.outputFolder(j), "tokenizer.json")
}

// measure returns the figures of a model on the tests of a job's world.
func (g *grid) measure(ctx context.Context, j job, model string) (map[string]float64, error) {
	w, dir := worldOf(j.world), g.worldFolder(j.world, j.seed)
	args := []string{"eval", "clip", model, "--tokenizer", g.tokenizerFile(j), "--json", "--progress", "none", "--images", synth.TestsDir(dir)}
	for kind, tests := range map[string][]string{"retrieval": w.retrieval, "sugarcrepe": w.tests} {
		for _, test := range tests {
			file := synth.TestFile(dir, test)
			if _, err := os.Stat(file); err == nil { // a small world may not have each test
				args = append(args, "--benchmark", kind+"="+file)
			}
		}
	}
	var out bytes.Buffer
	if err := g.runCapgraph(ctx, &out, args...); err != nil {
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

// setFlags returns settings as arguments of a command: --set and the setting.
func setFlags(settings []string) (args []string) {
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	return args
}

// runCapgraph runs the program on one core. Its standard output goes to out, or is discarded if out
// is nil.
func (g *grid) runCapgraph(ctx context.Context, out *bytes.Buffer, args ...string) error {
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
