package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

type vocabCommand struct {
	Dir   string `arg:"" help:"The output folder."`
	Kind  string `help:"Only keys of this kind, such as object, attribute_of or between; docs/format.md lists the kinds."`
	Limit int    `short:"n" default:"20" help:"Number of keys of each kind; 0: all."`
}

// Validate refuses invalid flags.
func (c *vocabCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("-n %d: want 0 or more", c.Limit)
	}
	return nil
}

// Run implements the command.
func (c *vocabCommand) Run(std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	state, err := f.Read()
	if err != nil {
		return err
	}
	if err := state.CheckComplete(folder.PassCount); err != nil {
		return err
	}
	rows, err := f.ReadCounts(folder.Vocabulary)
	if err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	var top []schemas.Count
	var kinds []string
	keys, total := 0, int64(0)
	flush := func() {
		if keys == 0 {
			return
		}
		slices.SortStableFunc(top, func(a, b schemas.Count) int { return cmp.Compare(b.N, a.N) })
		fmt.Fprintf(w, "%s: %d %s, %d in all\n", top[0].Kind, keys, text.Plural(keys, "key", "keys"), total)
		for i, row := range top {
			if c.Limit > 0 && i == c.Limit {
				break
			}
			fmt.Fprintf(w, "%10d  %s\n", row.N, row.Key)
		}
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if len(kinds) == 0 || kinds[len(kinds)-1] != row.Kind {
			kinds = append(kinds, row.Kind)
		}
		if c.Kind != "" && row.Kind != c.Kind {
			continue
		}
		if len(top) > 0 && top[0].Kind != row.Kind {
			flush()
			top, keys, total = top[:0], 0, 0
		}
		keys++
		total += row.N
		top = append(top, row)
		if c.Limit > 0 && len(top) > 100*c.Limit {
			slices.SortStableFunc(top, func(a, b schemas.Count) int { return cmp.Compare(b.N, a.N) })
			top = top[:c.Limit]
		}
	}
	flush()
	if c.Kind != "" && !slices.Contains(kinds, c.Kind) {
		return usage.Errorf("--kind %s: %s has keys of %s", c.Kind, c.Dir, cmp.Or(strings.Join(kinds, ", "), "no kind"))
	}
	return w.Err()
}
