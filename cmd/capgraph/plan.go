package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"capgraph/config"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/pipeline"
	"capgraph/pipeline/schedule"
	"capgraph/stages"
)

type planCmd struct {
	recipe      `embed:""`
	Slurm       *int   `placeholder:"N" help:"Print a script that submits the passes to Slurm, as arrays of N tasks."`
	Kubernetes  *int   `placeholder:"N" help:"Print the Indexed Jobs that run the passes with N pods."`
	Tasks       *int   `placeholder:"N" help:"Print the passes as N tasks each, as JSON for the driver of another engine."`
	Image       string `default:"capgraph" help:"With --kubernetes: the container image."`
	CPU         string `default:"4" help:"With --kubernetes: the processors of a pod."`
	Memory      string `default:"2Gi" help:"With --kubernetes: the memory of a pod."`
	VolumeClaim string `default:"capgraph" help:"With --kubernetes: the PersistentVolumeClaim that pods mount, or none."`
	Queue       string `help:"With --kubernetes: Kueue's queue."`
}

// Help is shown below the flags.
func (planCmd) Help() string {
	return `Shows what 'capgraph run' would do with a recipe: sources and shards, the stages of each pass with the columns that they
require and assign, outputs, and what is done already. For parser: hybrid it says which share of a sample the model would be
asked for. It writes nothing.

  capgraph plan --slurm 64 | sh
  capgraph plan --kubernetes 64 --image registry.example.org/capgraph --cpu 8 | kubectl apply -f -

For Ray and Spark the Python package of capgraph has drivers: docs/scale.md.`
}

// planSample is how many captions the share of a hybrid is estimated from.
const planSample = 4000

// Run implements the command.
func (c *planCmd) Run(ctx context.Context, std streams) error {
	engines := 0
	for _, parts := range []*int{c.Slurm, c.Kubernetes, c.Tasks} {
		if parts != nil && *parts < 1 {
			engines = 2
		} else if parts != nil {
			engines++
		}
	}
	if engines > 1 {
		return &usage.Error{Text: "--slurm N, --kubernetes N or --tasks N: want one of them, with 1 or more parts"}
	}
	cfg, r, err := c.recipe.open(ctx, std)
	if err != nil {
		return err
	}
	if engines == 1 {
		return c.schedule(r, std)
	}
	w := inspect.NewPrinter(std.out)
	if err := cmp.Or(r.Describe(w), w.Err()); err != nil {
		return err
	}
	if cfg.Parse.Parser != config.ParserHybrid {
		return nil
	}
	corpus, err := r.Corpus()
	if err != nil {
		return err
	}
	unsure, sampled, err := stages.CountUnsure(ctx, cfg, corpus, planSample)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nthe model would be asked for %d of %d sampled captions (%.1f %%): the rule parser's confidence in them is below %g\n",
		unsure, sampled, 100*float64(unsure)/float64(max(sampled, 1)), cfg.Parse.Threshold)
	return w.Err()
}

// schedule prints the run for an engine.
func (c *planCmd) schedule(r *pipeline.Run, std streams) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if c.Slurm != nil {
		parts := *c.Slurm
		if parts > schedule.MaxArray {
			parts = schedule.MaxArray
			std.warn(fmt.Sprintf("%d parts, not %d: an array has so many tasks at most, and each makes several shards", parts, *c.Slurm))
		}
		program, err := absoluteProgram()
		if err != nil {
			return err
		}
		named := c.recipe.sets()
		if file := c.recipe.file(); file != "" {
			if file, err = filepath.Abs(file); err != nil {
				return err
			}
			named = append([]string{file}, named...)
		}
		return schedule.Slurm(std.out, schedule.Steps(r.Passes, parts), program, dir, named)
	}
	file, err := c.recipe.carried()
	if err != nil {
		return err
	}
	sets := c.recipe.sets()
	if c.Kubernetes != nil {
		pods := schedule.Pods{Image: c.Image, CPU: c.CPU, Memory: c.Memory, Claim: c.VolumeClaim, Queue: c.Queue}
		if pods.Claim == "none" {
			pods.Claim = ""
		}
		return schedule.Kubernetes(std.out, schedule.Steps(r.Passes, *c.Kubernetes), file, sets, pods)
	}
	steps := schedule.Steps(r.Passes, *c.Tasks)
	for i := range steps {
		steps[i].Args = append(steps[i].Args, sets...)
	}
	tasks := schedule.Tasks{Dir: dir, Recipe: file, Steps: steps}
	return tasks.Write(std.out)
}

// carried is the recipe's file for machines that do not have it; nil where there is none.
func (c recipe) carried() (*schedule.Recipe, error) {
	file := c.file()
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	return &schedule.Recipe{Name: filepath.Base(file), Text: string(text)}, err
}

// absoluteProgram is the path of this program, under the name that it was called by.
func absoluteProgram() (string, error) {
	found, err := exec.LookPath(os.Args[0])
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}
