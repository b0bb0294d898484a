package main

import (
	"cmp"
	"context"
	"fmt"

	"capgraph/config"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/stages"
)

type planCmd struct {
	recipe     `embed:""`
	Slurm      *int `placeholder:"N" help:"Print the sbatch lines that run the passes as arrays of N tasks."`
	Kubernetes *int `placeholder:"N" help:"Print the Indexed Jobs that run the passes with N pods."`
}

// Help is shown below the flags.
func (planCmd) Help() string {
	return `Shows what 'capgraph run' would do with a recipe: sources and shards, the stages of each pass with the columns that they
require and assign, outputs, and what is done already. For parser: hybrid it says which share of a sample the model would be
asked for. It writes nothing.

  capgraph plan --slurm 64 | sh
  capgraph plan --kubernetes 64 | kubectl apply -f -`
}

// planSample is how many captions the share of a hybrid is estimated from.
const planSample = 4000

// Run implements the command.
func (c *planCmd) Run(ctx context.Context, std streams) error {
	none := func(parts *int) bool { return parts != nil && *parts < 1 }
	if none(c.Slurm) || none(c.Kubernetes) || c.Slurm != nil && c.Kubernetes != nil {
		return &usage.Error{Text: "--slurm N or --kubernetes N: want one of them, with 1 or more parts"}
	}
	cfg, r, err := c.recipe.open(ctx, std)
	if err != nil {
		return err
	}
	command := append([]string{"capgraph", "run", "--log", "plain"}, c.recipe.args(func(arg string) string { return arg })...)
	switch {
	case c.Slurm != nil:
		return r.Slurm(std.out, command, *c.Slurm)
	case c.Kubernetes != nil:
		return r.Kubernetes(std.out, command, *c.Kubernetes)
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
	unsure, sampled, err := stages.Unsure(ctx, cfg, corpus, planSample)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nthe model would be asked for %d of %d sampled captions (%.1f %%): the rule parser's confidence in them is below %g\n",
		unsure, sampled, 100*float64(unsure)/float64(max(sampled, 1)), cfg.Parse.Threshold)
	return w.Err()
}
