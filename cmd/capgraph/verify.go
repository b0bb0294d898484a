package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/look/inspect"
	"capgraph/store"
	"capgraph/verify"
)

type verifyCommand struct {
	Dir        string `arg:"" help:"The output folder."`
	JSON       bool   `help:"Print problems and notes as JSON lines."`
	Strict     bool   `help:"Exit 1 on notes too."`
	Workers    int    `default:"0" help:"Number of processors to use (default: all)."`
	Shard      string `placeholder:"I/N" xor:"part" help:"Check only the shards of part I of N, counted from 0. auto/N takes I from JOB_COMPLETION_INDEX or from SLURM_ARRAY_TASK_ID."`
	CrossShard bool   `xor:"part" help:"Check only what concerns several shards: run it once, beside the parts of --shard."`
}

// Validate refuses invalid flags.
func (c *verifyCommand) Validate() error { return checkWorkers(c.Workers) }

// Help returns the text below the usage.
func (verifyCommand) Help() string {
	help := "Checks a finished folder and prints each problem with its location and a remedy. Exit code 1 if there is a problem. Notes are\nno problems, unless --strict is given. Above 8,388,608 rows it needs 8 bytes a row in TMPDIR, else /tmp.\n"
	for _, c := range verify.Checks {
		help += fmt.Sprintf("\n  %-10s %s", c.Name, c.Summary)
	}
	return help + "\n\nOn many machines, in parallel and in any order:\n\n  capgraph verify DIR --shard I/N   for each I: " + listChecks(func(shards, _ bool) bool { return shards }) +
		"\n  capgraph verify DIR --cross-shard       once: " + listChecks(func(_, folder bool) bool { return folder })
}

// listChecks lists the checks that want selects.
func listChecks(want func(shards, folder bool) bool) string {
	var names []string
	for _, c := range verify.Checks {
		if want(c.OfShards, c.OfFolder) {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Run implements the command.
func (c *verifyCommand) Run(ctx context.Context, std streams) error {
	w := inspect.NewPrinter(std.out)
	encode := json.NewEncoder(std.out)
	encode.SetEscapeHTML(false)
	o := verify.Options{Scratch: scratchFile, Whole: c.CrossShard, Workers: useWorkers(c.Workers)}
	limitMemory(o.Workers)
	if c.Shard != "" {
		var err error
		if o.Part, o.Parts, err = parseShard(c.Shard, os.Getenv); err != nil {
			return err
		}
	}
	result, err := verify.Run(ctx, folder.Folder{Store: std.files, Dir: c.Dir}, o, func(p verify.Problem) {
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
		notes = fmt.Sprintf("%d %s", result.Notes, text.Plural(result.Notes, "note", "notes"))
	}
	if result.Problems > 0 || c.Strict && result.Notes > 0 {
		found := fmt.Sprintf("%d %s", result.Problems, text.Plural(result.Problems, "problem", "problems"))
		if notes != "" {
			found += ", " + notes
		}
		return fmt.Errorf("%s: %s", c.Dir, found)
	}
	if c.JSON {
		return encode.Encode(result)
	}
	of, whole := c.Dir, "whole"
	if o.Parts > 0 {
		of = fmt.Sprintf("%s, part %d of %d,", c.Dir, o.Part, o.Parts)
	}
	if c.CrossShard {
		whole = "whole across its shards"
	}
	if result.Failed > 0 {
		whole += fmt.Sprintf(" but for %d %s left out", result.Failed, text.Plural(result.Failed, "shard that failed and was", "shards that failed and were"))
	}
	if notes != "" {
		notes = ", " + notes
	}
	_, err = fmt.Fprintf(w, "%s is %s: %d %s, %d %s, %d %s%s\n", of, whole, result.Shards, text.Plural(result.Shards, "shard", "shards"),
		result.Graphs, text.Plural(result.Graphs, "graph", "graphs"), result.Texts, text.Plural(result.Texts, "text", "texts"), notes)
	return err
}

// scratchFile creates a temporary local file.
func scratchFile() (store.Temp, error) {
	return store.Local{}.Create(filepath.Join(os.TempDir(), "capgraph-verify"))
}
