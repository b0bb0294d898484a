package verify

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// checkKeys reports keys that occur twice in graphs/. The check texts compares the keys of texts/ with them.
func (c *check) checkKeys() error {
	shards := c.finishedShards(folder.PassParse, anyShard)
	keys := counts.Keys{Shards: len(shards), Workers: c.options.Workers, Scratch: c.options.Scratch,
		Each: func(ctx context.Context, i int, see func(string, schemas.RowRef)) error {
			part := *c
			part.ctx = ctx
			return part.visitKeys(shards[i].Name, see)
		}}
	for _, s := range shards {
		keys.MaxKeys += c.entries[folder.PassParse][s.Name].RowsOut
	}
	n, some, err := keys.FindRepeats(c.ctx)
	if err != nil {
		return err
	}
	where, remedy := c.folder.Path(folder.PassParse.Output()), "give the source keys of its own, or keep one of the files, and index anew with --redo index"
	for _, r := range some {
		c.addProblem(where, remedy, "the key %q is in shard %s and in shard %s", r.Key, r.First.Shard, r.Second.Shard)
	}
	if more := n - int64(len(some)); more > 0 {
		c.addProblem(where, remedy, "and %d more %s", more, text.Plural(more, "key", "keys"))
	}
	return nil
}

// visitKeys calls see for each key of a shard. If the shard cannot be read, the check graphs reports that.
func (c *check) visitKeys(shard string, see func(key string, at schemas.RowRef)) error {
	c.readColumns(folder.DataFile(folder.PassParse, shard), []string{schemas.ColKey}, func(rec arrow.Record) error {
		keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
		if err != nil {
			return err
		}
		for i := range keys.Len() {
			see(keys.Value(i), schemas.RowRef{Shard: shard})
		}
		return nil
	})
	return c.ctx.Err()
}
