package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"capgraph/folder"
	"capgraph/look/inspect"
)

type statsCmd struct {
	Dir  string `arg:"" help:"The output folder."`
	JSON bool   `help:"One JSON object: each shard and the totals of each pass."`
}

// statistics are the figures of a pass, in total and by shard.
type statistics struct {
	Total  *folder.Account `json:"total,omitempty"`
	Shards []*folder.Entry `json:"shards"`
}

// Run implements the command.
func (c *statsCmd) Run(std streams) error {
	f := folder.Folder{Store: std.files, Dir: c.Dir}
	state, err := f.Read()
	if err != nil {
		return err
	}
	all := map[folder.Pass]*statistics{}
	for _, row := range folder.Passes {
		s := &statistics{}
		all[row.Pass] = s
		if row.Pass.ByShard() {
			if s.Total, err = state.Account(row.Pass); err != nil {
				return err
			}
		}
		entries, err := state.Entries(row.Pass)
		if err != nil {
			return err
		}
		s.Shards = append([]*folder.Entry{}, entries...)
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
				figures(w, pass, e.Stats)
			}
			continue
		}
		figures(w, pass, map[string]int64{"shards": int64(s.Total.Shards), "shards done": int64(s.Total.Done), "shards failed": int64(s.Total.FailedShards),
			"rows in": s.Total.In, "rows out": s.Total.Out, "rows failed": s.Total.Failed, "rows missing": s.Total.Missing})
		rejected := map[string]int64{}
		for reason, n := range s.Total.Rejects {
			rejected["rejected: "+reason] = n
		}
		figures(w, pass, rejected)
		figures(w, pass, s.Total.Stats)
	}
	return w.Flush()
}

func figures(w *tabwriter.Writer, pass folder.Pass, of map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", pass, name, of[name])
	}
}
