package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"capgraph/inspect"
	"capgraph/internal/plural"
	"capgraph/pipeline"
	"capgraph/store"
	"capgraph/verify"
)

type verifyCmd struct {
	Dir  string `arg:"" help:"The output folder."`
	JSON bool   `help:"Problems as JSON lines."`
}

// Help is shown below the flags.
func (verifyCmd) Help() string {
	help := "Reads a finished folder again and tells what is wrong with it, where, and what to do. Exit code 1 if anything is.\n"
	for _, c := range verify.Checks {
		help += fmt.Sprintf("\n  %-10s %s", c.Name, c.Summary)
	}
	return help
}

// Run implements the command.
func (c *verifyCmd) Run(ctx context.Context, std streams) error {
	w := inspect.NewPrinter(std.out)
	encode := json.NewEncoder(std.out)
	encode.SetEscapeHTML(false)
	result, err := verify.Run(ctx, pipeline.Folder{Store: store.Local{}, Dir: c.Dir}, func(p verify.Problem) {
		if c.JSON {
			encode.Encode(p)
			return
		}
		fmt.Fprintln(w, p)
	})
	if ctx.Err() != nil {
		return errors.New("stopped before the end of the check")
	}
	if err != nil {
		return err
	}
	if result.Problems > 0 {
		return fmt.Errorf("%s: %d %s", c.Dir, result.Problems, plural.Of(result.Problems, "problem", "problems"))
	}
	if c.JSON {
		return encode.Encode(result)
	}
	whole := "whole"
	if result.Failed > 0 {
		whole = fmt.Sprintf("whole but for %d %s left out", result.Failed, plural.Of(result.Failed, "shard that failed and was", "shards that failed and were"))
	}
	_, err = fmt.Fprintf(w, "%s is %s: %d %s, %d %s, %d %s\n", c.Dir, whole, result.Shards, plural.Of(result.Shards, "shard", "shards"),
		result.Graphs, plural.Of(result.Graphs, "graph", "graphs"), result.Texts, plural.Of(result.Texts, "text", "texts"))
	return err
}
