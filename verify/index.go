package verify

import (
	"encoding/json"

	"capgraph/folder"
)

func (c *check) checkIndex() error {
	c.checkIndexFiles()
	names := map[string]bool{}
	rows := make([]int64, len(c.state.Index.Files))
	for _, s := range c.state.Index.Shards {
		if names[s.Name] {
			c.reportIndex("it names shard %s twice", s.Name)
		}
		names[s.Name] = true
		if s.Rows < 0 {
			c.reportIndex("shard %s has %d rows", s.Name, s.Rows)
		}
		file := c.state.Index.Files[s.File]
		if s.First.Row != rows[s.File] {
			c.reportIndex("shard %s begins at row %d of %s, and the shards before it end at %d", s.Name, s.First.Row, file.Name, rows[s.File])
		}
		if s.First.Offset > file.Size {
			c.reportIndex("shard %s begins at byte %d of %s, which has %d", s.Name, s.First.Offset, file.Name, file.Size)
		}
		rows[s.File] += s.Rows
	}
	for i, f := range c.state.Index.Files {
		if rows[i] != f.Rows {
			c.reportIndex("the shards of %s have %d rows, and it has %d", f.Name, rows[i], f.Rows)
		}
	}
	for _, pass := range folder.ShardPasses() {
		for shard := range sortedByShard(c.entries[pass]) {
			if !names[shard] {
				c.addProblem(c.folder.Path(folder.EntryFile(pass, shard)), c.rebuildHint(pass, shard), "it is of no shard of the index")
			}
		}
	}
	return nil
}

// checkIndexFiles checks the sizes and numbers of rows of the source files, and that their names are those in
// the plan.
func (c *check) checkIndexFiles() {
	for _, f := range c.state.Index.Files {
		if f.Size < 0 || f.Rows < 0 || f.Size == 0 && f.Rows > 0 {
			c.reportIndex("%s has %d bytes and %d rows", f.Name, f.Size, f.Rows)
		}
	}
	plan, err := c.folder.ReadPlan(folder.PassIndex)
	if err != nil || plan == nil { // the check plans reports it
		return
	}
	var settings struct {
		Paths []string `json:"source.paths"`
	}
	if err := json.Unmarshal(plan.Settings, &settings); err != nil {
		c.reportIndex("its plan: %v", err)
		return
	}
	first := c.state.Index.Files[:c.state.Index.CountFirstFiles()]
	if len(first) != len(settings.Paths) {
		c.reportIndex("it has %d files, and its plan %d", len(first), len(settings.Paths))
		return
	}
	for i, f := range first {
		if f.Name != settings.Paths[i] {
			c.reportIndex("file %d is %s, and %s in its plan", i, f.Name, settings.Paths[i])
		}
	}
}

func (c *check) reportIndex(what string, args ...any) {
	c.addProblem("the index", "run again with --redo index", what, args...)
}
