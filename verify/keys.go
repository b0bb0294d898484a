package verify

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"

	"capgraph/pipeline"
	"capgraph/schemas"
)

// hashesAtOnce is how many keys' hashes are held at a time: 64 MiB of them.
// More keys are looked at part by part, over the column of keys again.
const hashesAtOnce = 8 << 20

// sameKeys is what to do about keys that come twice.
const sameKeys = "give the source keys of its own, or keep one of the files, and index anew with --redo index"

// keys looks for keys that come twice in graphs/ or in texts/.
func (c *check) keys() error {
	for _, pass := range shardPasses {
		rows := int64(0)
		for _, e := range c.entries[pass.name] {
			rows += e.RowsOut
		}
		parts := uint64(rows/hashesAtOnce + 1)
		var again repeated
		for part := range parts {
			if err := c.keysOf(pass.name, pass.output, part, parts, &again); err != nil {
				return err
			}
		}
		if again.told == mostRows && again.rows > mostRows {
			c.problem(c.folder.Path(pass.output), sameKeys, "and %d more rows whose key came before", again.rows-mostRows)
		}
	}
	return nil
}

// repeated are the rows whose key came before, and how many of them were told.
type repeated struct{ rows, told int }

// keysOf looks at the keys whose hash is part modulo parts.
func (c *check) keysOf(pass, output string, part, parts uint64, again *repeated) error {
	var hashes []uint64
	err := c.eachKey(pass, output, func(_, key string) {
		if h := xxhash.Sum64String(key); h%parts == part {
			hashes = append(hashes, h)
		}
	})
	if err != nil {
		return err
	}
	slices.Sort(hashes)
	twice := map[uint64]bool{}
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			twice[hashes[i]] = true
			again.rows++
		}
	}
	if len(twice) == 0 || again.told == mostRows {
		return nil
	}
	first := map[string]string{} // the shard of a key
	return c.eachKey(pass, output, func(shard, key string) {
		if again.told == mostRows || !twice[xxhash.Sum64String(key)] {
			return
		}
		if other, ok := first[key]; ok {
			again.told++
			c.problem(c.folder.Path(output), sameKeys, "the key %q is in shard %s and in shard %s", key, other, shard)
		}
		first[strings.Clone(key)] = shard
	})
}

func (c *check) eachKey(pass, output string, each func(shard, key string)) error {
	return c.done(pass, func(s pipeline.Shard, _ *pipeline.Entry) error {
		// A shard that cannot be read is told by the checks of its rows.
		c.batches(output, s.Name, []string{schemas.ColImageKey, schemas.ColKey}, func(rec arrow.Record) error {
			keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
			if err != nil {
				return err
			}
			for i := range keys.Len() {
				each(s.Name, keys.Value(i))
			}
			return nil
		})
		return c.ctx.Err()
	})
}
