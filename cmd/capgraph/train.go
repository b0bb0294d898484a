package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"capgraph"
	"capgraph/internal/progress"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/pipeline"
	"capgraph/train"
	"capgraph/train/group"
)

// trainCommand trains a model on texts and images.
type trainCommand struct {
	Recipe   string   `arg:"" optional:"" help:"The recipe (default train.yaml; if there is none, the keys that are set)."`
	Set      []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the recipe, such as batch.size=256. May be given several times."`
	DryRun   bool     `help:"Print the parameters, tokens and memory of a step, and load nothing."`
	Progress string   `enum:"auto,plain,json,none" default:"auto" help:"How to show progress: auto, plain, json or none."`

	training atomic.Bool // once set, a stop writes a checkpoint
}

// Help returns the text below the usage.
func (*trainCommand) Help() string {
	return `Trains a CLIP dual encoder on the texts of a run and on their images: with the objectives of CLIP, NegCLIP, CE-CLIP, MosaiCLIP and OC-CLIP,
from scratch or from weights of open_clip or Hugging Face. See docs/training.md.

  capgraph init --train    # writes train.yaml, the recipe to fine-tune a published model
  capgraph train --dry-run
  capgraph train

Started by torchrun --no-python, srun, mpirun or Kubeflow, several processes train as one.

After a stop or a crash, the same command resumes from the last checkpoint and ends with the same weights. The output
folder holds model.safetensors, open_clip/ for open_clip's local-dir, metrics.jsonl, tensorboard/ and checkpoints/.

Exit codes: 0 done, 1 data or training failed, 2 usage or configuration.`
}

// Run implements train.
func (c *trainCommand) Run(ctx context.Context, std streams) error {
	r, err := train.Load(recipeFile(c.Recipe, defaultTrainRecipe, c.Set), c.Set)
	if err != nil {
		return err
	}
	files := std.files.With(r.Store).WithContext(context.WithoutCancel(ctx)) // a checkpoint is written after the stop
	if c.DryRun {
		return train.DryRun(std.out, files, r)
	}
	place, err := group.FromEnvironment(os.Getenv)
	if err != nil {
		return &usage.Error{Text: err.Error()}
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)/max(1, place.LocalWorld)))
	}
	device, note, err := r.OpenDevice(place.LocalRank)
	if err != nil {
		return err
	}
	defer device.Close()
	g, err := train.Join(context.WithoutCancel(ctx), capgraph.Version, r, device, place, std.warn)
	if err != nil {
		return err
	}
	defer g.Close()
	if r.World.Train > 0 {
		var made error
		if g.Rank == 0 {
			made = makeWorld(ctx, files, r.World, runtime.GOMAXPROCS(0), pipeline.NewProgress(std.err, progress.None))
		}
		if err := g.AnyError(made); err != nil {
			return err
		}
	}
	out := inspect.NewPrinter(std.out)
	if note != "" && g.Rank == 0 {
		fmt.Fprintln(out, note)
	}
	c.training.Store(true)
	result, err := train.Run(ctx, r, train.Options{
		Store: files, Group: g, Device: device, Progress: std.err, Mode: progressMode(c.Progress, std.err), Warn: std.warn,
		Parse: graphParser(), Tag: newTagger(),
		Info: func(line string) { fmt.Fprintln(out, line) },
	})
	if err == nil && g.Rank == 0 {
		c.printSummary(out, r, result)
	}
	return err
}

// printSummary prints the outcome of a training.
func (c *trainCommand) printSummary(w io.Writer, r *train.Recipe, result train.Result) {
	fmt.Fprintf(w, "\ntrained   %d steps, %d images\n", result.Steps, result.Samples)
	if result.Pace.Images > 0 {
		fmt.Fprintf(w, "speed     %v\n", result.Pace)
		switch {
		case result.Pace.StepsWait() && result.DecodedAgain:
			fmt.Fprintf(w, "          raise data.keep_decoded above %d (GB of decoded images, 3 bytes a pixel), store smaller images, or give more processors than %d\n", r.Data.KeepDecoded, runtime.GOMAXPROCS(0))
		case result.Pace.StepsWait():
			fmt.Fprintf(w, "          each image is decoded once: store smaller images, or give more processors than %d\n", runtime.GOMAXPROCS(0))
		}
	}
	var reasons []string
	for reason, n := range result.LeftOut {
		reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
	}
	if slices.Sort(reasons); len(reasons) > 0 {
		fmt.Fprintf(w, "left out  %s (%s/%s)\n", strings.Join(reasons, ", "), r.Output.Dir, train.LeftOutFile)
	}
	for i, after := range result.After {
		fmt.Fprintf(w, "%s\n          %v before, %v after\n", after.Name, result.Before[i], after)
	}
	fmt.Fprintf(w, "weights   %s/%s\n", r.Output.Dir, train.WeightsFile)
}
