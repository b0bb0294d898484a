package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/plural"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// statSameKeys is how many keys more than one row has.
const statSameKeys = "same_keys"

// findSameKeys warns of keys that come twice, which one shard does not see where
// they are in two: a trainer that joins by key would take one row for the other.
func findSameKeys(ctx context.Context, r *pipeline.Reducer) error {
	if len(r.Shards) < 2 {
		return nil
	}
	captions, err := captionsOf(r)
	if err != nil {
		return err
	}
	r.Step("keys", "caption", "captions", captions)
	scratch := func() (store.Temp, error) { return r.Folder.Scratch("keys") }
	n, some, err := counts.Repeats(captions, scratch, func(see func(string, counts.Place)) error {
		for _, s := range r.Shards {
			if err := eachKey(ctx, r, s.Name, see); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || n == 0 {
		return err
	}
	r.Stat(statSameKeys, n)
	var named strings.Builder
	for _, repeat := range some {
		first, err := sourceOf(ctx, r, repeat.First)
		if err != nil {
			return err
		}
		second, err := sourceOf(ctx, r, repeat.Second)
		if err != nil {
			return err
		}
		fmt.Fprintf(&named, "\n  %q: %s and %s", repeat.Key, first, second)
	}
	if more := n - int64(len(some)); more > 0 {
		fmt.Fprintf(&named, "\n  and %d more", more)
	}
	r.Warn(fmt.Sprintf("%d %s in more than one row, which a join by key takes for one another: give the source keys of its own, or keep one of the files, and index anew with --redo index%s",
		n, plural.Of(n, "key is", "keys are"), named.String()))
	return nil
}

// eachKey has see told of the keys of a shard and their rows.
func eachKey(ctx context.Context, r *pipeline.Reducer, shard string, see func(string, counts.Place)) error {
	row := int64(0)
	return eachRecord(ctx, r, shard, []string{schemas.ColKey}, func(columns []*array.String) {
		for i := range columns[0].Len() {
			see(columns[0].Value(i), counts.Place{Shard: shard, Row: row})
			row++
		}
		r.Advance(int64(columns[0].Len()))
	})
}

// sourceOf is the file that a row of graphs/ came from.
func sourceOf(ctx context.Context, r *pipeline.Reducer, at counts.Place) (source string, err error) {
	row := int64(0)
	err = eachRecord(ctx, r, at.Shard, []string{schemas.ColSource}, func(columns []*array.String) {
		if i := at.Row - row; i >= 0 && i < int64(columns[0].Len()) {
			source = strings.Clone(columns[0].Value(int(i)))
		}
		row += int64(columns[0].Len())
	})
	return source, err
}

// eachRecord gives columns of texts, batch by batch, of a shard of graphs/.
func eachRecord(ctx context.Context, r *pipeline.Reducer, shard string, names []string, see func([]*array.String)) error {
	batches, err := r.Folder.ReadShard(r.Env.Mem, folder.PassParse, shard, append(slices.Clip(names), schemas.ColImageKey))
	if err != nil {
		return err
	}
	defer batches.Close()
	for ctx.Err() == nil {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		columns, err := schemas.Strings(rec, names...)
		if err == nil {
			see(columns)
		}
		rec.Release()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
