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

type planCommand struct {
	recipe      `embed:""`
	Slurm       *int   `placeholder:"N" help:"Print a script that submits the passes to Slurm, as arrays of N tasks."`
	Kubernetes  *int   `placeholder:"N" help:"Print the Indexed Jobs that run the passes with N pods."`
	Tasks       *int   `placeholder:"N" help:"Print the passes as N tasks each, as JSON for the driver of another engine."`
	Image       string `default:"capgraph" help:"With --kubernetes: the container image."`
	CPU         string `default:"4" help:"With --kubernetes: the CPU request of a pod."`
	Memory      string `default:"2Gi" help:"With --kubernetes: the memory request of a pod."`
	VolumeClaim string `default:"capgraph" help:"With --kubernetes: the PersistentVolumeClaim that pods mount, or none."`
	Queue       string `help:"With --kubernetes: the Kueue queue."`
}

// Help returns the text below the usage.
func (planCommand) Help() string {
	return `Shows what 'capgraph run' would do with a recipe: sources and shards, the stages of each pass with the columns that they
read and write, outputs, and finished work. For parser: hybrid it estimates the share of captions that would be sent to the
model. It writes nothing.

  capgraph plan --slurm 64 | sh
  capgraph plan --kubernetes 64 --image registry.example.org/capgraph --cpu 8 | kubectl apply -f -

The Python package has drivers for Ray and Spark: docs/scale.md.`
}

// planSample is the number of captions from which the share that a hybrid parser sends to the model
// is estimated.
const planSample = 4000

// Run implements the command.
func (c *planCommand) Run(ctx context.Context, std streams) error {
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
	cfg, r, err := c.recipe.openRun(ctx, std)
	if err != nil {
		return err
	}
	if engines == 1 {
		return c.printSchedule(r, std)
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
	fmt.Fprintf(w, "\nthe model would be asked about %d of %d sampled captions (%.1f %%): the rule parser's confidence in them is below %g\n",
		unsure, sampled, 100*float64(unsure)/float64(max(sampled, 1)), cfg.Parse.Threshold)
	return w.Err()
}

// printSchedule prints the run as a Slurm script, a Kubernetes manifest or a list of tasks.
func (c *planCommand) printSchedule(r *pipeline.Run, std streams) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if c.Slurm != nil {
		parts := *c.Slurm
		if parts > schedule.MaxArray {
			parts = schedule.MaxArray
			std.warn(fmt.Sprintf("using %d parts, not %d: that is the largest array, and each task makes several shards", parts, *c.Slurm))
		}
		program, err := absoluteProgram()
		if err != nil {
			return err
		}
		named := c.recipe.setArgs()
		if file := c.recipe.path(); file != "" {
			if file, err = filepath.Abs(file); err != nil {
				return err
			}
			named = append([]string{file}, named...)
		}
		return schedule.Slurm(std.out, schedule.Steps(r.Passes, parts), program, dir, named)
	}
	file, err := c.recipe.readFile()
	if err != nil {
		return err
	}
	sets := c.recipe.setArgs()
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

// readFile returns the recipe's file with its content, for machines that cannot read the file; nil
// if there is none.
func (c recipe) readFile() (*schedule.Recipe, error) {
	file := c.path()
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	return &schedule.Recipe{Name: filepath.Base(file), Text: string(text)}, err
}

// absoluteProgram returns the path of this program, under the name by which it was called.
func absoluteProgram() (string, error) {
	found, err := exec.LookPath(os.Args[0])
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}
