package verify

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/plural"
	"capgraph/schemas"
)

// keys looks for keys that come twice in graphs/. Those of texts/ are looked up
// among them by the check texts.
func (c *check) keys() error {
	rows := int64(0)
	for _, e := range c.entries[folder.PassParse] {
		rows += e.RowsOut
	}
	n, some, err := counts.Repeats(rows, c.scratch, c.eachKey)
	if err != nil {
		return err
	}
	where, remedy := c.folder.Path(folder.PassParse.Output()), "give the source keys of its own, or keep one of the files, and index anew with --redo index"
	for _, r := range some {
		c.problem(where, remedy, "the key %q is in shard %s and in shard %s", r.Key, r.First.Shard, r.Second.Shard)
	}
	if more := n - int64(len(some)); more > 0 {
		c.problem(where, remedy, "and %d more %s", more, plural.Of(more, "key", "keys"))
	}
	return nil
}

func (c *check) eachKey(see func(key string, at counts.Place)) error {
	return c.done(folder.PassParse, func(s folder.Shard, _ *folder.Entry) error {
		// A shard that cannot be read is told by the checks of its rows.
		c.parquet(folder.Data(folder.PassParse, s.Name), []string{schemas.ColKey}, func(rec arrow.Record) error {
			keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
			if err != nil {
				return err
			}
			for i := range keys.Len() {
				see(keys.Value(i), counts.Place{Shard: s.Name})
			}
			return nil
		})
		return c.ctx.Err()
	})
}
