package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"capgraph/inspect"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
)

// whyCmd tells what became of a caption.
type whyCmd struct {
	Dir string `arg:"" help:"The output folder."`
	Key string `required:"" help:"The key of the caption."`

	repliesFlag `embed:""`
}

// repliesFlag is for commands that make candidates once more.
type repliesFlag struct {
	Replies string `default:"replies" placeholder:"DIR" help:"The model's replies, where it proposed the replacements: parse.cache of the recipe (default ${default}). No model is asked."`
}

// Help is shown under the usage of the command.
func (whyCmd) Help() string {
	return `Prints the caption as it came, its cleaned text, its graph, and each candidate negative with its fate: kept, or dropped and why.
The candidates are made once more, with the settings that the folder was made with. docs/negatives.md says what the reasons mean.

    capgraph why out/sample --key 0_12`
}

// Run implements the command.
func (c *whyCmd) Run(ctx context.Context, std streams) error {
	f := pipeline.Folder{Store: store.Local{}, Dir: c.Dir}
	at, err := inspect.Find(f, stages.Graphs, c.Key)
	if err != nil {
		return err
	}
	g, err := inspect.GraphAt(f, at)
	if err != nil {
		return err
	}
	fates, err := stages.Why(ctx, f, c.Replies, at.Shard, c.Key)
	if err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprintf(w, "caption  %s\ntext     %s\nparser   %s\n\n", g.Caption, g.Text, g.Parser)
	inspect.Tree(w, &g.Graph)
	for i, p := range fates.Pool.Positives {
		fmt.Fprintf(w, "\n+ %s  (%s)\n", p.Text, p.Kind)
		for _, n := range fates.Pool.Negatives {
			if int(n.Of) == i {
				fmt.Fprintf(w, "  kept     %s  (%s, score %.2f)\n", n.Text, n.Method, n.Score)
			}
		}
	}
	if fates.Unknown > 0 {
		fmt.Fprintf(w, "\n%d questions of this image to the model have no reply in %s: the replacements that they gave are not shown\n", fates.Unknown, c.Replies)
	}
	fmt.Fprintf(w, "\n%d candidates dropped\n", len(fates.Dropped))
	slices.SortStableFunc(fates.Dropped, func(a, b negatives.Dropped) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Reason.String(), b.Reason.String()))
	})
	for _, d := range fates.Dropped {
		fmt.Fprintf(w, "  %-17s  %-13s  %s\n", d.Method, d.Reason, d.Text)
	}
	return w.Err()
}
