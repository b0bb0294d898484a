package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"capgraph"
	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/internal/text"
	"capgraph/look/inspect"
	"capgraph/look/report"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/train/benchmarks"
	"capgraph/train/device"
	"capgraph/train/features"
)

// evalClip measures a model on benchmarks.
type evalClip struct {
	modelFlags
	Benchmarks []string  `name:"benchmark" sep:"none" help:"A benchmark as KIND=FILE, followed by its own settings: ,images=PATH ,classes=FILE ,templates=FILE ,train=FILE ,split=NAME. May be repeated." placeholder:"KIND=FILE"`
	Compare    string    `help:"An earlier model: measure both, and the difference with its interval." placeholder:"BEFORE"`
	WiseFT     string    `name:"wise-ft" help:"An earlier model: measure image towers interpolated between it and the model (WiSE-FT)." placeholder:"BEFORE"`
	Alphas     []float64 `help:"Positions of --wise-ft, from 0 (the earlier model) to 1." default:"0,0.25,0.5,0.75,1"`
	JSON       bool      `name:"json" help:"Write JSON instead of a table."`
	Results    string    `help:"Also write the results of each model into this folder, in the forms of CLIP_benchmark and MTEB." placeholder:"FOLDER"`
	HTML       string    `name:"html" help:"Also write an HTML page with bars, and the most wrong cases with their images." placeholder:"FILE.html"`
	Worst      int       `help:"Number of cases of each benchmark on the page." default:"12"`

	tasks []benchmarks.Task
}

// Help returns the text below the usage.
func (evalClip) Help() string {
	var b strings.Builder
	b.WriteString("Measures a model as the benchmarks' own scripts do. Ties are wrong; missing and broken images are named and left out.\n\n")
	fmt.Fprintf(&b, "  %-13s images with classes: a folder of class folders, or CSV or JSON lines of image and label\n", benchmarks.ZeroShot)
	fmt.Fprintf(&b, "  %-13s captions of COCO, Karpathy (,split=test), DOCCI, NegBench or Urban-1k, or a run: R@1, 5, 10 and nDCG@10 both ways\n", benchmarks.Retrieval)
	fmt.Fprintf(&b, "  %-13s captions like %s, without images: how tree-like the text tower processes them\n", benchmarks.TreeScore, benchmarks.Retrieval)
	for _, k := range clip.Kinds() {
		fmt.Fprintf(&b, "  %-13s %s\n", k.Name, k.Summary)
	}
	b.WriteString(`
  capgraph eval clip out/train --compare ViT-B-32 --images coco/val2017 --benchmark sugarcrepe=swap_att.json --benchmark retrieval=captions_val2017.json
  capgraph eval clip out/train --benchmark aro=visual_genome_relation.json,images=vg --benchmark zeroshot=imagenet/val,classes=names.txt --html eval.html`)
	return b.String()
}

// Validate refuses invalid flags.
func (c *evalClip) Validate() error {
	switch {
	case len(c.Benchmarks) == 0:
		return fmt.Errorf("--benchmark is missing: want KIND=FILE, KIND one of %s", strings.Join(benchmarks.Kinds(), ", "))
	case c.Compare != "" && c.WiseFT != "":
		return errors.New("want --compare or --wise-ft, not both")
	case c.Worst < 0:
		return fmt.Errorf("--worst=%d: want 0 or more", c.Worst)
	}
	for _, a := range c.Alphas {
		if !(a >= 0 && a <= 1) {
			return fmt.Errorf("--alphas: %v: want 0 to 1", a)
		}
	}
	c.tasks = nil
	for _, on := range c.Benchmarks {
		t, err := benchmarks.ParseTask(on)
		if err != nil {
			return fmt.Errorf("--benchmark: %w", err)
		}
		c.tasks = append(c.tasks, t)
	}
	return nil
}

// Run implements eval clip.
func (c *evalClip) Run(ctx context.Context, std streams) error {
	files := std.files
	var out store.Temp
	if c.HTML != "" {
		var err error
		if out, err = files.Create(c.HTML); err != nil {
			return err
		}
		defer out.Discard()
	}
	s, err := benchmarks.Open(ctx, files, c.tasks, images.Options{Format: c.Format, Paths: c.Images, Column: c.Column}, newTagger())
	if err != nil {
		return fmt.Errorf("eval clip: %w", err)
	}
	defer s.Close()
	names, results, err := c.measureModels(ctx, std, s)
	if err != nil {
		return fmt.Errorf("eval clip: %w", err)
	}
	for _, r := range results[len(results)-1] {
		std.warnAboutBroken(r.Name, r.Broken)
	}
	if out != nil {
		err := report.WriteModels(ctx, out, results, report.ModelOptions{Models: names, Command: c.commandLine(), Version: capgraph.Version, Worst: c.Worst, Image: s.ReadImage})
		if err == nil {
			err = out.Replace()
		}
		if err != nil {
			return err
		}
	}
	if c.Results != "" {
		if err := writeHarnessFiles(files, c.Results, c.modelPaths(names), results); err != nil {
			return err
		}
	}
	return c.printResults(std, names, results)
}

// modelPaths returns the names of the models in files of results: with --wise-ft, the path of the
// model and the weight.
func (c *evalClip) modelPaths(names []string) (paths []string) {
	for _, name := range names {
		if c.WiseFT != "" {
			name = c.Model + " " + name
		}
		paths = append(paths, name)
	}
	return paths
}

// writeHarnessFiles writes the results of each model in the forms of other harnesses below a folder.
func writeHarnessFiles(files store.Store, folder string, models []string, results [][]*clip.Result) error {
	for i, model := range models {
		written, err := clip.HarnessFiles(model, results[i])
		if err != nil {
			return err
		}
		for _, f := range written {
			out, err := files.Create(store.Join(folder, f.Name))
			if err != nil {
				return err
			}
			if _, err = out.Write(f.Data); err == nil {
				err = out.Replace()
			}
			out.Discard()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// newTagger returns the tagger of the rule parser. It reads the parser's model when it is
// first called, since most benchmarks need no tags.
func newTagger() clip.Tagger {
	parser := sync.OnceValues(ruleparse.New)
	var tokens []schemas.Token
	return func(text string) ([]schemas.Token, error) {
		p, err := parser()
		if err != nil {
			return nil, err
		}
		tokens = p.Tokens(text, tokens)
		return tokens, nil
	}
}

// measureModels returns the names of the models and their results.
func (c *evalClip) measureModels(ctx context.Context, std streams, s *benchmarks.Suite) (names []string, results [][]*clip.Result, err error) {
	on, err := c.openDevice(std)
	if err != nil {
		return nil, nil, err
	}
	defer on.Close()
	models := 1
	switch {
	case c.Compare != "":
		models = 2
	case c.WiseFT != "":
		models = len(c.Alphas)
	}
	add, stop := std.showProgress(c.Progress, "eval", "case", "cases", models*s.Size)
	defer stop()
	measureOne := func(name string, m *features.Model) error {
		r, err := s.Measure(ctx, m.Device(), m.Encoder, add)
		names, results = append(names, name), append(results, r)
		return err
	}
	earlier := c.Compare + c.WiseFT // at most one is set
	var before *features.Model
	if earlier != "" {
		if before, err = c.openModel(std, on, earlier); err != nil {
			return nil, nil, err
		}
		defer before.Free()
	}
	if c.Compare != "" {
		if err := measureOne(c.Compare, before); err != nil {
			return nil, nil, err
		}
	}
	m, err := c.openModel(std, on, c.Model)
	if err != nil {
		return nil, nil, err
	}
	defer m.Free()
	if c.WiseFT == "" {
		return names, results, measureOne(c.Model, m)
	}
	for _, a := range c.Alphas {
		if err := m.Interpolate(before, a); err != nil {
			return nil, nil, err
		}
		if err := measureOne(fmt.Sprintf("alpha %g", a), m); err != nil {
			return nil, nil, err
		}
	}
	return names, results, nil
}

// printResults writes the table or JSON.
func (c *evalClip) printResults(std streams, names []string, results [][]*clip.Result) error {
	figures := clip.Figures(results)
	if c.JSON {
		e := json.NewEncoder(std.out)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Models  []string      `json:"models"`
			Figures []clip.Figure `json:"figures"`
		}{names, figures})
	}
	var table bytes.Buffer
	if err := clip.WriteTable(&table, names, figures); err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprint(w, table.String())
	return w.Err()
}

// commandLine returns the command that repeats the measurement.
func (c *evalClip) commandLine() string {
	words := []string{"capgraph eval clip", text.Quote(c.Model)}
	if c.Device != device.Auto {
		words = append(words, "--device", c.Device)
	}
	for _, f := range []struct {
		flag   string
		values []string
	}{{"--compare", []string{c.Compare}}, {"--wise-ft", []string{c.WiseFT}}, {"--images", c.Images}, {"--benchmark", c.Benchmarks}} {
		for _, v := range f.values {
			if v != "" {
				words = append(words, f.flag, text.Quote(v))
			}
		}
	}
	return strings.Join(words, " ")
}

func (c *evalClip) stopError() error { return errEvalStopped }
