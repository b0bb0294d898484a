package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
)

// Problem is a fault of the folder: its place, what is wrong, and what to do about it. If it is a
// note, nothing is wrong, but the user should know.
type Problem struct {
	Note   bool   `json:"note,omitempty"`
	Check  string `json:"check"`
	Where  string `json:"location"`
	What   string `json:"message"`
	Remedy string `json:"remedy"`
}

func (p Problem) String() string {
	if p.Note {
		p.Check = "note, " + p.Check
	}
	return fmt.Sprintf("%s: %s: %s (%s)", p.Check, p.Where, p.What, p.Remedy)
}

// Result counts what was checked: shards, failed shards (which are left out), and rows of graphs/
// and texts/. It also counts the problems and notes found.
type Result struct {
	Shards   int   `json:"shards"`
	Failed   int   `json:"failed"`
	Graphs   int64 `json:"graphs"`
	Texts    int64 `json:"texts"`
	Problems int64 `json:"problems"`
	Notes    int64 `json:"notes"`
}

// Options select what is checked, and how.
type Options struct {
	// Workers is how many shards are read at a time; 0 stands for one.
	Workers int
	// Scratch creates temporary files for the hashes of keys and images, 8 bytes each, if a folder has
	// more than 8 Mi of them. If it is nil, all keys are read once for each 8 Mi of them instead.
	Scratch func() (store.Temp, error)
	// If Parts is not 0, only single shards are checked: those whose number is Part modulo Parts.
	Part, Parts int
	// If Whole is set, only the folder as a whole is checked.
	Whole bool
}

// includesShard reports whether shard i is checked.
func (o *Options) includesShard(i int) bool { return !o.Whole && (o.Parts == 0 || i%o.Parts == o.Part) }

// includesFolder reports whether the folder is checked as a whole.
func (o *Options) includesFolder() bool { return o.Whole || o.Parts == 0 }

// Checks are all checks in their order: the name, what is checked, and whether the check is about
// single shards, the folder as a whole, or both.
var Checks = []struct {
	Name, Summary      string
	OfShards, OfFolder bool
	run                func(*check) error
}{
	{"index", "the list of shards names each once, each with its place in a file, and the files are those of its plan", false, true, (*check).checkIndex},
	{"plans", "each entry was made by the plan of its pass, each plan by the one before; notes texts of before files joined", false, true, (*check).checkPlans},
	{"accounts", "rows in = rows out + rejects, and those of the index = rows in + failed", false, true, (*check).checkAccounts},
	{"files", "each entry names the files that its pass writes", false, true, (*check).checkFiles},
	{"hashes", "each file has the SHA-256 of its entry, and is its entry's", true, true, (*check).checkHashes},
	{"leftovers", "no file of data is there that no entry names", false, true, (*check).checkLeftovers},
	{"schema", "columns, their types and the number of rows are those promised", true, false, (*check).checkSchemas},
	{"rejects", "the rejects of each reason are as many as the entry says", true, false, (*check).checkRejects},
	{"keys", "no key comes twice", false, true, (*check).checkKeys},
	{"images", "notes images whose rows are not adjacent, or more than 1,024", false, true, (*check).noteSplitImages},
	{"graphs", "indices and offsets lead somewhere, names are said where they say so, and figures add up", true, false, (*check).checkGraphs},
	{"texts", "rows are those of graphs/, lists are parallel, no negative says what a positive of its image says, and figures add up", true, false, (*check).checkTexts},
	{"counts", "counts are above 0, and those of the vocabulary add up to those of the shards", false, true, (*check).checkCounts},
	{"card", "the dataset card declares the texts and graphs that are there; notes one that is not as capgraph writes it", false, true, (*check).checkCard},
}

// check is the state of a run.
type check struct {
	ctx         context.Context
	folder      folder.Folder
	options     Options
	state       *folder.State
	entries     map[folder.Pass]map[string]*folder.Entry // by pass and shard name
	unreachable map[folder.Pass]map[string]bool          // entries that exist but cannot be opened or read
	result      Result
	name        string
	visit       func(Problem)
}

// Run runs the checks and calls tell for each problem, always in the same order. It returns an
// error if the folder cannot be checked at all, or a counts.ScratchError.
func Run(ctx context.Context, f folder.Folder, o Options, tell func(Problem)) (Result, error) {
	c := &check{ctx: ctx, folder: f, options: o, visit: tell}
	var err error
	if c.state, err = f.Read(); err != nil {
		return c.result, err
	}
	if err := c.readEntries(); err != nil {
		return c.result, err
	}
	c.countShards()
	for _, row := range Checks {
		if !(row.OfShards && !o.Whole || row.OfFolder && o.includesFolder()) {
			continue
		}
		c.name = row.Name
		if err := row.run(c); err != nil {
			return c.result, err
		}
	}
	return c.result, ctx.Err()
}

// countShards counts the shards to check and their rows.
func (c *check) countShards() {
	for i, s := range c.state.Index.Shards {
		if !c.options.Whole && !c.options.includesShard(i) {
			continue
		}
		c.result.Shards++
		if e := c.entries[folder.PassParse][s.Name]; e != nil {
			c.result.Graphs += e.RowsOut
		}
		if e := c.entries[folder.PassTexts][s.Name]; e != nil {
			c.result.Texts += e.RowsOut
		}
	}
}

// addProblem reports a problem of the current check.
func (c *check) addProblem(where, remedy, what string, args ...any) {
	c.report(Problem{false, c.name, where, fmt.Sprintf(what, args...), remedy})
}

// addNote reports a note of the current check.
func (c *check) addNote(where, remedy, what string, args ...any) {
	c.report(Problem{true, c.name, where, fmt.Sprintf(what, args...), remedy})
}

func (c *check) report(p Problem) {
	if p.Note {
		c.result.Notes++
	} else {
		c.result.Problems++
	}
	c.visit(p)
}

// reportUnreadable reports the error of reading a file. If the file cannot even be opened or read,
// as on a lost volume, it may be intact, so the remedy is not to rebuild it.
func (c *check) reportUnreadable(where, remedy string, err error) {
	if isUnreachable(err) {
		remedy = "see to that and verify again: nothing is known of what it holds"
	}
	c.addProblem(where, remedy, "%v", err)
}

// isUnreachable reports whether err means that a file exists but cannot be opened or read, whatever
// its content.
func isUnreachable(err error) bool {
	return store.IsUnreachable(err) && !errors.Is(err, fs.ErrNotExist)
}

// rebuildHint returns a hint on how to rebuild a shard.
func (c *check) rebuildHint(pass folder.Pass, shard string) string {
	return c.folder.RebuildHint(pass, shard, c.entries[pass][shard])
}

// rowHint returns a hint on what to do about a wrong row. If the run itself wrote the wrong row,
// another run would write the same.
func (c *check) rowHint(pass folder.Pass, shard string) string {
	for _, of := range folder.RowPasses() {
		e := c.entries[of][shard]
		if e == nil {
			continue
		}
		for _, want := range e.Files {
			if got, err := c.folder.HashFile(want.Name); err != nil || got != want {
				return c.rebuildHint(pass, shard)
			}
		}
	}
	return "the file is as the run wrote it: this is a fault of capgraph, and running again repeats it; please report the row, with the output of 'capgraph version'"
}

// maxRowsNamed is how many rows of a shard a check reports one by one. Further ones are only counted.
const maxRowsNamed = 5

// reportRow reports a problem of the row with that key.
type reportRow func(key, what string, args ...any)

// checkRows calls each for the batches of a shard, which do not split images, with a function that
// reports problems of rows.
func (c *check) checkRows(pass folder.Pass, shard string, columns []string, each func(rec arrow.Record, bad reportRow) error) error {
	told, remedy := 0, ""
	name := c.folder.Path(folder.DataFile(pass, shard))
	bad := func(key, what string, args ...any) {
		if told == 0 {
			remedy = c.rowHint(pass, shard)
		}
		if told++; told <= maxRowsNamed {
			c.addProblem(fmt.Sprintf("%s: row %q", name, key), remedy, what, args...)
		}
	}
	err := c.readShard(pass, shard, columns, func(rec arrow.Record) error { return each(rec, bad) })
	var damaged *folder.DamagedError
	if errors.As(err, &damaged) { // its remedy is reported below
		err = damaged.Err
	}
	if err != nil && c.ctx.Err() == nil {
		c.reportUnreadable(name, c.rebuildHint(pass, shard), err)
	}
	if told > maxRowsNamed {
		c.addProblem(name, remedy, "and %d more %s", told-maxRowsNamed, text.Plural(told-maxRowsNamed, "row", "rows"))
	}
	return c.ctx.Err()
}

func (c *check) readShard(pass folder.Pass, shard string, columns []string, each func(arrow.Record) error) error {
	batches, err := c.folder.ReadShard(memory.NewGoAllocator(), pass, shard, columns)
	if err != nil {
		return err
	}
	defer batches.Close()
	return c.forEachBatch(func() (arrow.Record, error) {
		rec, _, err := batches.Next()
		return rec, err
	}, each)
}

// forEachBatch calls see for each batch that next returns, until next returns io.EOF.
func (c *check) forEachBatch(next func() (arrow.Record, error), see func(arrow.Record) error) error {
	for c.ctx.Err() == nil {
		rec, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = see(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return c.ctx.Err()
}
