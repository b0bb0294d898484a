package stages

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// statSameKeys is how many keys more than one row has.
const statSameKeys = "same_keys"

// mostSameKeys is how many of them are named.
const mostSameKeys = 5

// sameKeys are keys that come twice, which one shard does not see where they are in
// two: a trainer that joins by key would take one row for the other.
type sameKeys struct {
	n     int64
	named []string // hashes of some
}

func (k *sameKeys) add(hash string) {
	if k.n++; len(k.named) < mostSameKeys {
		k.named = append(k.named, hash)
	}
}

// twice is a key and the files that its first two rows came from.
type twice struct {
	key     string
	sources []string
}

// warn warns of such keys, and names some with the files of their rows.
func (k *sameKeys) warn(ctx context.Context, r *pipeline.Reducer) error {
	if k.n == 0 {
		return nil
	}
	r.Stat(statSameKeys, k.n)
	some, err := k.find(ctx, r)
	if err != nil {
		return err
	}
	var named strings.Builder
	for _, of := range some {
		fmt.Fprintf(&named, "\n  %q: %s and %s", of.key, of.sources[0], of.sources[1])
	}
	if more := k.n - int64(len(some)); more > 0 {
		fmt.Fprintf(&named, "\n  and %d more", more)
	}
	r.Warn(fmt.Sprintf("%d %s in more than one row, which a join by key takes for one another: give the source keys of its own, or keep one of the files, and index anew with --redo index%s",
		k.n, text.Plural(k.n, "key is", "keys are"), named.String()))
	return nil
}

// find looks for the first two rows of the keys that are named, in the order of the
// second.
func (k *sameKeys) find(ctx context.Context, r *pipeline.Reducer) (found []twice, err error) {
	looked := map[string]*twice{}
	for _, hash := range k.named {
		looked[hash] = &twice{}
	}
	for _, s := range r.Shards {
		has, err := hasKey(r, s.Name, looked)
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		err = eachRecord(ctx, r.Folder, r.Env.Mem, s.Name, []string{schemas.ColImageKey, schemas.ColKey, schemas.ColSource}, func(columns []*array.String) {
			keys, sources := columns[1], columns[2]
			for i := range keys.Len() {
				of := looked[hex(xxhash.Sum64String(keys.Value(i)))]
				if of == nil || len(of.sources) == 2 {
					continue
				}
				of.sources = append(of.sources, strings.Clone(sources.Value(i)))
				if len(of.sources) == 2 {
					of.key = strings.Clone(keys.Value(i))
					found = append(found, *of)
				}
			}
		})
		if err != nil || len(found) == len(looked) {
			return found, err
		}
	}
	return found, nil
}

// hasKey tells whether a shard has a row of one of those keys that were not found twice.
func hasKey(r *pipeline.Reducer, shard string, looked map[string]*twice) (bool, error) {
	for row, err := range r.Folder.CountsOf(folder.Counts(folder.PassTally, shard), kindKey) {
		if err != nil {
			return false, err
		}
		if of := looked[row.Key]; of != nil && len(of.sources) < 2 {
			return true, nil
		}
	}
	return false, nil
}
