package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"capgraph/folder"
	"capgraph/internal/build"
	"capgraph/look/inspect"
)

type statsCommand struct {
	Dir  string `arg:"" help:"The output folder."`
	JSON bool   `help:"Print a JSON object with the shards and totals of each pass."`
}

// passStatistics has the statistics of a pass, in total and by shard, and the builds that ran it.
type passStatistics struct {
	Total  *folder.Account `json:"total,omitempty"`
	Builds []build.Build   `json:"builds"`
	Shards []*folder.Entry `json:"shards"`
}

// Run implements the command.
func (c *statsCommand) Run(std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	state, err := f.Read()
	if err != nil {
		return err
	}
	all := map[folder.Pass]*passStatistics{}
	for _, pass := range folder.PassOrder() {
		builds, err := f.ReadBuilds(pass)
		if err != nil {
			return err
		}
		all[pass] = &passStatistics{Builds: append([]build.Build{}, builds...), Shards: []*folder.Entry{}}
	}
	for _, row := range folder.Passes {
		s := all[row.Pass]
		if row.Pass.IsByShard() {
			if s.Total, err = state.Account(row.Pass); err != nil {
				return err
			}
		}
		entries, err := state.Entries(row.Pass)
		if err != nil {
			return err
		}
		s.Shards = append(s.Shards, entries...)
	}
	if c.JSON {
		encode := json.NewEncoder(std.out)
		encode.SetEscapeHTML(false)
		encode.SetIndent("", "  ")
		return encode.Encode(all)
	}
	w := tabwriter.NewWriter(inspect.NewPrinter(std.out), 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range folder.Passes {
		pass, s := row.Pass, all[row.Pass]
		if s.Total == nil {
			for _, e := range s.Shards {
				writeStats(w, pass, e.Stats)
			}
			continue
		}
		writeStats(w, pass, map[string]int64{"shards": int64(s.Total.Shards), "shards done": int64(s.Total.Done), "shards failed": int64(s.Total.FailedShards),
			"rows in": s.Total.In, "rows out": s.Total.Out, "rows failed": s.Total.Failed, "rows missing": s.Total.Missing})
		rejected := map[string]int64{}
		for reason, n := range s.Total.Rejects {
			rejected["rejected: "+reason] = n
		}
		writeStats(w, pass, rejected)
		writeStats(w, pass, s.Total.Stats)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printBuilds(inspect.NewPrinter(std.out), all)
}

// printBuilds prints each build with the passes that it ran.
func printBuilds(w io.Writer, all map[folder.Pass]*passStatistics) error {
	var builds []build.Build
	ran := map[build.Build][]string{}
	for _, pass := range folder.PassOrder() {
		for _, b := range all[pass].Builds {
			if ran[b] == nil {
				builds = append(builds, b)
			}
			ran[b] = append(ran[b], string(pass))
		}
	}
	for _, b := range builds {
		if _, err := fmt.Fprintf(w, "made by capgraph %s: %s\n", b, strings.Join(ran[b], ", ")); err != nil {
			return err
		}
	}
	return nil
}

// writeStats writes a line for each statistic.
func writeStats(w *tabwriter.Writer, pass folder.Pass, of map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", pass, name, of[name])
	}
}
