package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
)

type rejectsCommand struct {
	Dir    string `arg:"" help:"The output folder."`
	Reason string `help:"Only rows that were rejected for this reason."`
	Limit  int    `short:"n" default:"20" help:"Number of rows; 0: all."`
	JSON   bool   `help:"Print rows as JSON lines, without the counts."`
}

// Help returns the text below the usage.
func (rejectsCommand) Help() string {
	return "Counts the rejected rows by reason and source, and shows the first ones. Rows are counted from 0, as in source_row; lines of text files from 1. Long captions are cut off; --json prints up to 8 KiB of each."
}

// Validate refuses invalid flags.
func (c *rejectsCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("-n %d: want 0 or more", c.Limit)
	}
	return nil
}

// Run implements the command.
func (c *rejectsCommand) Run(std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	counts := map[[2]string]int64{}
	reasons := map[string]bool{}
	shown := 0
	w := inspect.NewPrinter(std.out)
	encode := json.NewEncoder(std.out)
	encode.SetEscapeHTML(false)
	for _, pass := range folder.RowPasses() {
		shards, err := inspect.FinishedShards(f, pass)
		if err != nil && (pass == folder.PassParse || !errors.Is(err, inspect.ErrNoShard)) {
			return err
		}
		for _, s := range shards {
			for r, err := range inspect.ReadRejects(f, pass, s.Shard) {
				if err != nil {
					return err
				}
				reasons[r.Reason] = true
				if c.Reason != "" && r.Reason != c.Reason {
					continue
				}
				counts[[2]string{r.Reason, r.Source}]++
				if c.Limit > 0 && shown == c.Limit {
					continue
				}
				shown++
				if c.JSON {
					if err := encode.Encode(r); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(w, "%s, row %d  %s: %s  %q\n", r.Source, r.SourceRow, r.Stage, r.Reason, inspect.Shorten(r.Caption))
				if r.Detail != "" {
					fmt.Fprintf(w, "    %s\n", inspect.Shorten(r.Detail))
				}
			}
		}
	}
	if c.Reason != "" && !reasons[c.Reason] {
		return usage.Errorf("--reason %s: %s has rejects for %s", c.Reason, c.Dir,
			cmp.Or(strings.Join(slices.Sorted(maps.Keys(reasons)), ", "), "no reason"))
	}
	if c.JSON {
		return nil
	}
	fmt.Fprintln(w)
	for _, key := range slices.SortedFunc(maps.Keys(counts), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(w, "%10d  %s  in %s\n", counts[key], key[0], key[1])
	}
	return w.Err()
}
