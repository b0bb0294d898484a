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

// statSameKeys is the number of keys that more than one row has.
const statSameKeys = "same_keys"

// maxKeysNamed is the largest number of these keys in a warning.
const maxKeysNamed = 5

// repeatedKeys are keys that occur more than once. Such rows may be in different shards, so no
// single shard shows it, and a trainer that joins by key would mix up the rows.
type repeatedKeys struct {
	n      int64
	hashes []string // of some of the keys
}

func (k *repeatedKeys) addHash(hash string) {
	if k.n++; len(k.hashes) < maxKeysNamed {
		k.hashes = append(k.hashes, hash)
	}
}

// repeatedKey is a key and the files that its first two rows came from.
type repeatedKey struct {
	key     string
	sources []string
}

// warnOfKeys warns of repeated keys and names some, with the files of their rows.
func (k *repeatedKeys) warnOfKeys(ctx context.Context, r *pipeline.Reducer) error {
	if k.n == 0 {
		return nil
	}
	r.AddStat(statSameKeys, k.n)
	some, err := k.findRows(ctx, r)
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

// findRows returns the first two rows of each key whose hash is kept, sorted by the second row.
func (k *repeatedKeys) findRows(ctx context.Context, r *pipeline.Reducer) (found []repeatedKey, err error) {
	looked := map[string]*repeatedKey{}
	for _, hash := range k.hashes {
		looked[hash] = &repeatedKey{}
	}
	for _, s := range r.Shards {
		has, err := hasMissingKey(r, s.Name, looked)
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		err = eachColumns(ctx, r.Folder, r.Env.Mem, s.Name, []string{schemas.ColImageKey, schemas.ColKey, schemas.ColSource}, func(columns []*array.String) {
			keys, sources := columns[1], columns[2]
			for i := range keys.Len() {
				of := looked[formatHash(xxhash.Sum64String(keys.Value(i)))]
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

// hasMissingKey reports whether a shard has a row of a key of which two rows are not found yet.
func hasMissingKey(r *pipeline.Reducer, shard string, looked map[string]*repeatedKey) (bool, error) {
	for row, err := range r.Folder.ReadCountsOfKind(folder.CountsFile(folder.PassTally, shard), kindKey) {
		if err != nil {
			return false, err
		}
		if of := looked[row.Key]; of != nil && len(of.sources) < 2 {
			return true, nil
		}
	}
	return false, nil
}
