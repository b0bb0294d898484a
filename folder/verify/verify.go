package verify

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/plural"
	"capgraph/store"
)

// Problem is one thing that is wrong: where, what, and what to do. A note is
// nothing that is wrong, but something that one should know.
type Problem struct {
	Note   bool   `json:"note,omitempty"`
	Check  string `json:"check"`
	Where  string `json:"where"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

func (p Problem) String() string {
	if p.Note {
		p.Check = "note, " + p.Check
	}
	return fmt.Sprintf("%s: %s: %s (%s)", p.Check, p.Where, p.What, p.Remedy)
}

// Result is what was read: shards, those of them that failed and were left out,
// and rows of graphs/ and texts/; and how many problems and notes were found.
type Result struct {
	Shards   int   `json:"shards"`
	Failed   int   `json:"failed"`
	Graphs   int64 `json:"graphs"`
	Texts    int64 `json:"texts"`
	Problems int64 `json:"problems"`
	Notes    int64 `json:"notes"`
}

// Checks is the table of checks in their order: name and what it makes sure of.
var Checks = []struct {
	Name, Summary string
	run           func(*check) error
}{
	{"index", "the list of shards names each once, each with its place in a file, and the files are those of its plan", (*check).index},
	{"plans", "each entry was made by the plan of its pass, each plan by the one before", (*check).plans},
	{"accounts", "rows in = rows out + rejects, and those of the index = rows in + failed", (*check).accounts},
	{"files", "each entry names the files that its pass writes", (*check).files},
	{"hashes", "each file has the SHA-256 of its entry, and is its entry's", (*check).hashes},
	{"leftovers", "no file of data is there that no entry names", (*check).leftovers},
	{"schema", "columns, their types and the number of rows are those promised", (*check).schemas},
	{"rejects", "the rejects of each reason are as many as the entry says", (*check).rejects},
	{"keys", "no key comes twice", (*check).keys},
	{"images", "notes images whose rows are not adjacent, or more than 1,024", (*check).images},
	{"graphs", "indices and offsets lead somewhere, names are said where they say so, and figures add up", (*check).graphs},
	{"texts", "rows are those of graphs/, lists are parallel, no negative says what a positive of its image says, and figures add up", (*check).texts},
	{"counts", "counts are above 0, and those of the vocabulary add up to those of the shards", (*check).counts},
}

// check is a check under way.
type check struct {
	ctx     context.Context
	folder  folder.Folder
	state   *folder.State
	entries map[folder.Pass]map[string]*folder.Entry // by pass and shard
	result  Result
	name    string
	scratch func() (store.Temp, error)
	tell    func(Problem)
}

// Run makes all checks and tells every problem. Hashes of keys and images, 8 bytes
// each, wait in files that scratch makes where a folder has more than 8 Mi of them. The
// error is that of a folder that cannot be checked at all, or a counts.ScratchError.
func Run(ctx context.Context, f folder.Folder, scratch func() (store.Temp, error), tell func(Problem)) (Result, error) {
	c := &check{ctx: ctx, folder: f, scratch: scratch, tell: tell}
	var err error
	if c.state, err = f.Read(); err != nil {
		return c.result, err
	}
	if err := c.readEntries(); err != nil {
		return c.result, err
	}
	for _, row := range Checks {
		c.name = row.Name
		if err := row.run(c); err != nil {
			return c.result, err
		}
	}
	return c.result, ctx.Err()
}

// problem tells what is wrong somewhere.
func (c *check) problem(where, remedy, what string, args ...any) {
	c.result.Problems++
	c.tell(Problem{false, c.name, where, fmt.Sprintf(what, args...), remedy})
}

// note tells what one should know of somewhere.
func (c *check) note(where, remedy, what string, args ...any) {
	c.result.Notes++
	c.tell(Problem{true, c.name, where, fmt.Sprintf(what, args...), remedy})
}

// again is how to have a shard made again.
func (c *check) again(pass folder.Pass, shard string) string {
	return c.folder.Again(pass, shard, c.entries[pass][shard])
}

// mostRows is how many rows of a shard a check names.
const mostRows = 5

// badRow tells a problem of the row of a key.
type badRow func(key, what string, args ...any)

// rows calls each for the batches of a shard, in which an image is whole, with
// what tells a problem of a row.
func (c *check) rows(pass folder.Pass, shard string, columns []string, each func(rec arrow.Record, bad badRow) error) error {
	told := 0
	name := c.folder.Path(folder.Data(pass, shard))
	bad := func(key, what string, args ...any) {
		if told++; told <= mostRows {
			c.problem(fmt.Sprintf("%s: row %q", name, key), c.again(pass, shard), what, args...)
		}
	}
	err := c.batches(pass, shard, columns, func(rec arrow.Record) error { return each(rec, bad) })
	var damaged *folder.DamagedError
	if errors.As(err, &damaged) { // whose remedy is told beside it
		err = damaged.Err
	}
	if err != nil && c.ctx.Err() == nil {
		c.problem(name, c.again(pass, shard), "%v", err)
	}
	if told > mostRows {
		c.problem(name, c.again(pass, shard), "and %d more %s", told-mostRows, plural.Of(told-mostRows, "row", "rows"))
	}
	return c.ctx.Err()
}

func (c *check) batches(pass folder.Pass, shard string, columns []string, each func(arrow.Record) error) error {
	batches, err := c.folder.ReadShard(memory.NewGoAllocator(), pass, shard, columns)
	if err != nil {
		return err
	}
	defer batches.Close()
	return c.each(func() (arrow.Record, error) {
		rec, _, err := batches.Next()
		return rec, err
	}, each)
}

// each calls see for the batches that next gives until it gives io.EOF.
func (c *check) each(next func() (arrow.Record, error), see func(arrow.Record) error) error {
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

// done calls each for the finished shards of a pass, in their order.
func (c *check) done(pass folder.Pass, each func(folder.Shard, *folder.Entry) error) error {
	for _, s := range c.state.Index.Shards {
		if e := c.entries[pass][s.Name]; e != nil {
			if err := each(s, e); err != nil {
				return err
			}
		}
	}
	return nil
}
