package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"capgraph/folder"
	"capgraph/folder/verify"
	"capgraph/internal/counts"
	"capgraph/internal/plural"
	"capgraph/look/inspect"
	"capgraph/store"
)

type verifyCmd struct {
	Dir    string `arg:"" help:"The output folder."`
	JSON   bool   `help:"Problems and notes as JSON lines."`
	Strict bool   `help:"Exit 1 on notes too."`
}

// Help is shown below the flags.
func (verifyCmd) Help() string {
	help := "Reads a finished folder again and tells what is wrong with it, where, and what to do. Exit code 1 if anything is. Notes tell what is as\nit may be and should be known; with --strict they count as wrong.\nOf more than 8,388,608 rows, 8 bytes each wait in TMPDIR, else /tmp.\n"
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
	result, err := verify.Run(ctx, folder.Folder{Store: std.files, Dir: c.Dir}, scratchFile, func(p verify.Problem) {
		if c.JSON {
			encode.Encode(p)
			return
		}
		fmt.Fprintln(w, p)
	})
	if ctx.Err() != nil {
		return errors.New("stopped before the end of the check")
	}
	if full := new(counts.ScratchError); errors.As(err, &full) {
		return fmt.Errorf("%w (name a folder with more room in TMPDIR: 8 bytes a row)", err)
	}
	if err != nil {
		return err
	}
	notes := ""
	if result.Notes > 0 {
		notes = fmt.Sprintf("%d %s", result.Notes, plural.Of(result.Notes, "note", "notes"))
	}
	if result.Problems > 0 || c.Strict && result.Notes > 0 {
		found := fmt.Sprintf("%d %s", result.Problems, plural.Of(result.Problems, "problem", "problems"))
		if notes != "" {
			found += ", " + notes
		}
		return fmt.Errorf("%s: %s", c.Dir, found)
	}
	if c.JSON {
		return encode.Encode(result)
	}
	whole := "whole"
	if result.Failed > 0 {
		whole = fmt.Sprintf("whole but for %d %s left out", result.Failed, plural.Of(result.Failed, "shard that failed and was", "shards that failed and were"))
	}
	if notes != "" {
		notes = ", " + notes
	}
	_, err = fmt.Fprintf(w, "%s is %s: %d %s, %d %s, %d %s%s\n", c.Dir, whole, result.Shards, plural.Of(result.Shards, "shard", "shards"),
		result.Graphs, plural.Of(result.Graphs, "graph", "graphs"), result.Texts, plural.Of(result.Texts, "text", "texts"), notes)
	return err
}

// scratchFile begins a file on this machine, for what is not kept.
func scratchFile() (store.Temp, error) {
	return store.Local{}.Create(filepath.Join(os.TempDir(), "capgraph-verify"))
}
