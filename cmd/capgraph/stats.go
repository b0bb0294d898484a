package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"text/tabwriter"

	"capgraph/folder"
	"capgraph/inspect"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
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
	f := folder.Folder{Store: store.Local{}, Dir: c.Dir}
	index, err := f.Index()
	if err != nil {
		return err
	}
	all := map[string]*statistics{}
	order := []*pipeline.Pass{{Name: stages.PassParse, Output: stages.Graphs}, {Name: stages.PassCount}, {Name: stages.PassBalance}, {Name: stages.PassTexts, Output: stages.Texts}}
	for _, pass := range order {
		s := &statistics{Shards: []*folder.Entry{}}
		all[pass.Name] = s
		names := []string{folder.Whole}
		if pass.Output != "" {
			names = names[:0]
			for _, shard := range index.Shards {
				names = append(names, shard.Name)
			}
			if s.Total, err = f.Account(pass.Name, pass.Output, index); err != nil {
				return err
			}
		}
		for _, name := range names {
			e, err := f.Entry(pass.Name, name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			s.Shards = append(s.Shards, e)
		}
	}
	if c.JSON {
		encode := json.NewEncoder(std.out)
		encode.SetEscapeHTML(false)
		encode.SetIndent("", "  ")
		return encode.Encode(all)
	}
	w := tabwriter.NewWriter(inspect.NewPrinter(std.out), 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, pass := range order {
		s := all[pass.Name]
		if s.Total == nil {
			for _, e := range s.Shards {
				figures(w, pass.Name, e.Stats)
			}
			continue
		}
		figures(w, pass.Name, map[string]int64{"shards": int64(s.Total.Shards), "shards done": int64(s.Total.Done), "shards failed": int64(s.Total.FailedShards),
			"rows in": s.Total.In, "rows out": s.Total.Out, "rows failed": s.Total.Failed, "rows missing": s.Total.Missing})
		rejected := map[string]int64{}
		for reason, n := range s.Total.Rejects {
			rejected["rejected: "+reason] = n
		}
		figures(w, pass.Name, rejected)
		figures(w, pass.Name, s.Total.Stats)
	}
	return w.Flush()
}

func figures(w *tabwriter.Writer, pass string, of map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(w, "%s\t%s\t%d\t\n", pass, name, of[name])
	}
}
