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

// readEntries reads the entries of what is looked at. One that cannot be read is a problem.
func (c *check) readEntries() error {
	c.name = "index"
	c.entries, c.hidden = map[folder.Pass]map[string]*folder.Entry{}, map[folder.Pass]map[string]bool{}
	others := map[string]bool{} // shards of other parts
	for i, s := range c.state.Index.Shards {
		if !c.options.Whole && !c.options.ofShard(i) {
			others[s.Name] = true
		}
	}
	for _, row := range folder.Passes {
		pass := row.Pass
		c.entries[pass], c.hidden[pass] = map[string]*folder.Entry{}, map[string]bool{}
		done, err := c.folder.ListFinished(pass)
		if err != nil {
			return err
		}
		maps.DeleteFunc(done, func(shard string, _ bool) bool {
			return others[shard] || !pass.IsByShard() && shard != folder.Whole // a task of a pass under way
		})
		shards := slices.Sorted(maps.Keys(done))
		entries, hidden := make([]*folder.Entry, len(shards)), make([]bool, len(shards))
		err = c.each(len(shards), func(c *check, i int) error {
			e, err := c.folder.ReadEntry(pass, shards[i])
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					c.unread(c.folder.Path(folder.EntryFile(pass, shards[i])), c.again(pass, shards[i]), err)
				}
				hidden[i] = unreachable(err)
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
				c.hidden[pass][shards[i]] = true
			}
		}
	}
	return nil
}

func (c *check) plans() error {
	before, versions := "", map[string]versionOf{}
	order := []folder.Pass{folder.PassIndex}
	for _, row := range folder.Passes {
		order = append(order, row.Pass)
	}
	for i, pass := range order {
		p, err := c.folder.ReadPlan(pass)
		if err != nil {
			c.unread(planOf(pass), redo(pass), err)
			return nil
		}
		if p == nil {
			if len(c.entries[pass]) > 0 || i == 0 {
				c.problem(planOf(pass), redo(pass), "it is not there")
			}
			return nil
		}
		c.versions(p, versions)
		if pass == folder.PassCount {
			left, err := c.leftOut()
			if err != nil {
				return err
			}
			before += c.state.Index.PlanInput() + left
		}
		if p.Input != before {
			c.problem(planOf(pass), redo(pass), "its input was %s and is %s", p.Input, before)
		}
		before = p.Hash()
		if i == 0 && c.state.Index.Plan != before {
			c.problem("the index", "run again with --redo index", "it was made by the plan %s and the folder's is %s", c.state.Index.Plan, before)
		}
		if pass == folder.PassTexts {
			return c.textsPlans(before)
		}
		for shard, e := range sorted(c.entries[pass]) {
			if e.Plan != before {
				c.problem(c.folder.Path(folder.EntryFile(pass, shard)), c.again(pass, shard), "it was made by the plan %s and the folder's is %s", e.Plan, before)
			}
		}
	}
	return nil
}

// versionOf is the version of some code, and the pass that it made first.
type versionOf struct {
	version string
	pass    folder.Pass
}

// versions notes what two versions of the same code made in a folder: a build goes on
// from what another finished.
func (c *check) versions(p *folder.PassPlan, seen map[string]versionOf) {
	for _, version := range strings.Fields(p.Version) {
		name, _, numbered := strings.Cut(version, "/")
		if !numbered {
			continue
		}
		before, again := seen[name]
		if again && before.version != version {
			c.note(planOf(p.Pass), "nothing is to be done, or make both again with --redo "+string(before.pass), "it was made by %s, and pass %s by %s", version, before.pass, before.version)
		}
		if !again {
			seen[name] = versionOf{version, p.Pass}
		}
	}
}

func planOf(pass folder.Pass) string { return "the plan of pass " + string(pass) }

func redo(pass folder.Pass) string { return "run again with --redo " + string(pass) }

// leftOut names the shards of graphs/ that failed, as the plan of what is made
// without them does after the hash of its input.
func (c *check) leftOut() (string, error) {
	failures, err := c.state.Failures(folder.PassParse)
	left := ""
	for _, f := range failures {
		left += folder.Without + f.Shard
	}
	return left, err
}

func (c *check) accounts() error {
	in := map[string]int64{}
	for _, s := range c.state.Index.Shards {
		in[s.Name] = s.Rows
	}
	gone := map[string]bool{} // failed in a pass before
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
				if c.hidden[pass][s.Name] {
					delete(in, s.Name)
				} else if !gone[s.Name] {
					missing = append(missing, s.Name)
				} else if pass == folder.PassTexts {
					c.result.Failed++
				}
				continue
			}
			c.negative(e)
			where := c.folder.Path(folder.EntryFile(pass, s.Name))
			rejected := int64(0)
			for _, n := range e.Rejects {
				rejected += n
			}
			if e.RowsIn != e.RowsOut+rejected {
				c.problem(where, c.again(pass, s.Name), "%d %s went in, %d came out and %d were rejected", e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), e.RowsOut, rejected)
			}
			if rows, known := in[s.Name]; known && e.RowsIn != rows {
				c.problem(where, c.again(pass, s.Name), "%d %s went in and there were %d", e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), rows)
			}
			in[s.Name] = e.RowsOut
		}
		c.missing(pass, missing)
	}
	c.tallied(gone)
	for _, row := range folder.Passes {
		pass := row.Pass
		if pass.IsByShard() {
			continue
		}
		if e := c.entries[pass][folder.Whole]; e != nil {
			c.negative(e)
		} else if !c.hidden[pass][folder.Whole] {
			c.problem("pass "+string(pass), "run again", "it is not done")
		}
	}
	return nil
}

// tallied looks whether all graphs were counted, but for those of shards that failed.
func (c *check) tallied(failed map[string]bool) {
	var missing []string
	for _, s := range c.state.Index.Shards {
		parsed, e := c.entries[folder.PassParse][s.Name], c.entries[folder.PassTally][s.Name]
		if e == nil && !failed[s.Name] && !c.hidden[folder.PassTally][s.Name] {
			missing = append(missing, s.Name)
		}
		if e == nil || parsed == nil {
			continue
		}
		c.negative(e)
		if e.RowsIn != parsed.RowsOut || e.RowsOut != parsed.RowsOut {
			c.problem(c.folder.Path(folder.EntryFile(e.Pass, s.Name)), c.again(e.Pass, s.Name), "%d %s went in and %d came out, and there were %d",
				e.RowsIn, text.Plural(e.RowsIn, "row", "rows"), e.RowsOut, parsed.RowsOut)
		}
	}
	c.missing(folder.PassTally, missing)
}

// missing tells which shards of a pass are not done.
func (c *check) missing(pass folder.Pass, shards []string) {
	if len(shards) == 0 {
		return
	}
	slices.Sort(shards)
	c.problem("pass "+string(pass), "run again", "%d %s not done: %s", len(shards), text.Plural(len(shards), "shard is", "shards are"), text.List(shards))
}

// sorted goes over entries by the names of their shards.
func sorted(entries map[string]*folder.Entry) iter.Seq2[string, *folder.Entry] {
	return func(yield func(string, *folder.Entry) bool) {
		for _, shard := range slices.Sorted(maps.Keys(entries)) {
			if !yield(shard, entries[shard]) {
				return
			}
		}
	}
}
