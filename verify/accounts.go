package verify

import (
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
)

// readEntries reads the entries of the shards to check. Unreadable ones are problems.
func (c *check) readEntries() error {
	c.name = "index"
	c.entries, c.unreachable = map[folder.Pass]map[string]*folder.Entry{}, map[folder.Pass]map[string]bool{}
	others := map[string]bool{} // shards that other processes check
	for i, s := range c.state.Index.Shards {
		if !c.options.Whole && !c.options.includesShard(i) {
			others[s.Name] = true
		}
	}
	for _, row := range folder.Passes {
		pass := row.Pass
		c.entries[pass], c.unreachable[pass] = map[string]*folder.Entry{}, map[string]bool{}
		done, err := c.folder.ListFinished(pass)
		if err != nil {
			return err
		}
		maps.DeleteFunc(done, func(shard string, _ bool) bool {
			return others[shard] || !pass.IsByShard() && shard != folder.Whole // an unfinished task of a pass over the whole folder
		})
		shards := slices.Sorted(maps.Keys(done))
		entries, hidden := make([]*folder.Entry, len(shards)), make([]bool, len(shards))
		err = c.runParallel(len(shards), func(c *check, i int) error {
			e, err := c.folder.ReadEntry(pass, shards[i])
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					c.reportUnreadable(c.folder.Path(folder.EntryFile(pass, shards[i])), c.rebuildHint(pass, shards[i]), err)
				}
				hidden[i] = isUnreachable(err)
				return nil
			}
			entries[i] = e
			return nil
		})
		if err != nil {
			return err
		}
		for i, e := range entries {
			if e != nil {
				c.entries[pass][shards[i]] = e
			} else if hidden[i] {
				c.unreachable[pass][shards[i]] = true
			}
		}
	}
	return nil
}

func (c *check) checkPlans() error {
	before, versions := "", map[string]codeVersion{}
	order := []folder.Pass{folder.PassIndex}
	for _, row := range folder.Passes {
		order = append(order, row.Pass)
	}
	for i, pass := range order {
		p, err := c.folder.ReadPlan(pass)
		if err != nil {
			c.reportUnreadable(planName(pass), redoHint(pass), err)
			return nil
		}
		if p == nil {
			if len(c.entries[pass]) > 0 || i == 0 {
				c.addProblem(planName(pass), redoHint(pass), "it is not there")
			}
			return nil
		}
		c.noteMixedVersions(p, versions)
		if pass == folder.PassCount {
			left, err := c.failedShardsInput()
			if err != nil {
				return err
			}
			before += c.state.Index.PlanInput() + left
		}
		if p.Input != before {
			c.addProblem(planName(pass), redoHint(pass), "its input was %s and is %s", p.Input, before)
		}
		before = p.Hash()
		if i == 0 && c.state.Index.Plan != before {
			c.addProblem("the index", "run again with --redo index", "it was made by the plan %s and the folder's is %s", c.state.Index.Plan, before)
		}
		if pass == folder.PassTexts {
			return c.checkTextsPlans(before)
		}
		for shard, e := range sortedByShard(c.entries[pass]) {
			if e.Plan != before {
				c.addProblem(c.folder.Path(folder.EntryFile(pass, shard)), c.rebuildHint(pass, shard), "it was made by the plan %s and the folder's is %s", e.Plan, before)
			}
		}
	}
	return nil
}

// codeVersion is the version of some code and the first pass that it made.
type codeVersion struct {
	version string
	pass    folder.Pass
}

// noteMixedVersions adds a note if different versions of the same code made passes of the folder,
// which can happen if one build of capgraph continues the run of another.
func (c *check) noteMixedVersions(p *folder.PassPlan, seen map[string]codeVersion) {
	for _, version := range strings.Fields(p.Version) {
		name, _, numbered := strings.Cut(version, "/")
		if !numbered {
			continue
		}
		before, again := seen[name]
		if again && before.version != version {
			c.addNote(planName(p.Pass), "leave them, or make both again with --redo "+string(before.pass), "it was made by %s, and pass %s by %s", version, before.pass, before.version)
		}
		if !again {
			seen[name] = codeVersion{version, p.Pass}
		}
	}
}

func planName(pass folder.Pass) string { return "the plan of pass " + string(pass) }

func redoHint(pass folder.Pass) string { return "run again with --redo " + string(pass) }

// failedShardsInput returns the text that failed shards of graphs/ add to the input in the plan of
// pass count, such as " without train-00003".
func (c *check) failedShardsInput() (string, error) {
	failures, err := c.state.Failures(folder.PassParse)
	left := ""
	for _, f := range failures {
		left += folder.MissingShardMarker + f.Shard
	}
	return left, err
}

func (c *check) checkAccounts() error {
	in := map[string]int64{}
	for _, s := range c.state.Index.Shards {
		in[s.Name] = s.Rows
	}
	gone := map[string]bool{} // shards that failed in an earlier pass
	for _, pass := range folder.RowPasses() {
		failures, err := c.state.Failures(pass)
		if err != nil {
			return err
		}
		for _, f := range failures {
			gone[f.Shard] = true
		}
		var missing []string
		for _, s := range c.state.Index.Shards {
			e := c.entries[pass][s.Name]
			if e == nil {
				if c.unreachable[pass][s.Name] {
					delete(in, s.Name)
				} else if !gone[s.Name] {
					missing = append(missing, s.Name)
				} else if pass == folder.PassTexts {
					c.result.Failed++
				}
				continue
			}
			c.reportNegative(e)
			where := c.folder.Path(folder.EntryFile(pass, s.Name))
			rejected := int64(0)
			for _, n := range e.Rejects {
				rejected += n
			}
			if e.RowsIn != e.RowsOut+rejected {
				c.addProblem(where, c.rebuildHint(pass, s.Name), "%d %s went in, %d came out and %d were rejected", e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), e.RowsOut, rejected)
			}
			if rows, known := in[s.Name]; known && e.RowsIn != rows {
				c.addProblem(where, c.rebuildHint(pass, s.Name), "%d %s went in and there were %d", e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), rows)
			}
			in[s.Name] = e.RowsOut
		}
		c.reportMissing(pass, missing)
	}
	c.checkTallied(gone)
	for _, row := range folder.Passes {
		pass := row.Pass
		if pass.IsByShard() {
			continue
		}
		if e := c.entries[pass][folder.Whole]; e != nil {
			c.reportNegative(e)
		} else if !c.unreachable[pass][folder.Whole] {
			c.addProblem("pass "+string(pass), "run again", "it is not done")
		}
	}
	return nil
}

// checkTallied checks that the graphs of all shards except failed ones were counted.
func (c *check) checkTallied(failed map[string]bool) {
	var missing []string
	for _, s := range c.state.Index.Shards {
		parsed, e := c.entries[folder.PassParse][s.Name], c.entries[folder.PassTally][s.Name]
		if e == nil && !failed[s.Name] && !c.unreachable[folder.PassTally][s.Name] {
			missing = append(missing, s.Name)
		}
		if e == nil || parsed == nil {
			continue
		}
		c.reportNegative(e)
		if e.RowsIn != parsed.RowsOut || e.RowsOut != parsed.RowsOut {
			c.addProblem(c.folder.Path(folder.EntryFile(e.Pass, s.Name)), c.rebuildHint(e.Pass, s.Name), "%d %s went in and %d came out, and there were %d",
				e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), e.RowsOut, parsed.RowsOut)
		}
	}
	c.reportMissing(folder.PassTally, missing)
}

// reportMissing reports the shards of a pass that are not done.
func (c *check) reportMissing(pass folder.Pass, shards []string) {
	if len(shards) == 0 {
		return
	}
	slices.Sort(shards)
	c.addProblem("pass "+string(pass), "run again", "%d %s not done: %s", len(shards), text.Plural(len(shards), "shard is", "shards are"), text.List(shards))
}

// sortedByShard yields entries in the order of their shards' names.
func sortedByShard(entries map[string]*folder.Entry) iter.Seq2[string, *folder.Entry] {
	return func(yield func(string, *folder.Entry) bool) {
		for _, shard := range slices.Sorted(maps.Keys(entries)) {
			if !yield(shard, entries[shard]) {
				return
			}
		}
	}
}
