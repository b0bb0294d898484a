package counts

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"capgraph/internal/panics"
	"capgraph/schemas"
	"capgraph/store"
)

const (
	// maxHashes is the largest number of hashes in memory: 64 MiB. More hashes are processed in parts.
	maxHashes = 8 << 20
	// maxRepeats is the largest number of repeats that are returned.
	maxRepeats = 5
	// hashBatch is the largest number of hashes of a shard that are passed on at a time.
	hashBatch = 8 << 10
)

// Repeat is a key that occurs more than once, with its first two rows.
type Repeat struct {
	Key           string
	First, Second schemas.RowRef
}

// ScratchError is the error of a scratch file, not of reading keys.
type ScratchError struct{ Err error }

func (e *ScratchError) Error() string { return "scratch file: " + e.Err.Error() }

func (e *ScratchError) Unwrap() error { return e.Err }

// Keys are the keys of shards.
type Keys struct {
	// Shards is the number of shards.
	Shards int
	// Each calls see for the keys of a shard, from 0, in order. It is called for several shards at
	// a time, and more than once. A key is valid until see returns.
	Each func(ctx context.Context, shard int, see func(key string, at schemas.RowRef)) error
	// MaxKeys is an estimate of the number of keys.
	MaxKeys int64
	// Workers is the number of shards to read at a time.
	Workers int
	// Scratch creates a file for hashes that do not fit in memory. If it is nil, all keys are read
	// again for each part of the hashes.
	Scratch func() (store.Temp, error)
}

// FindRepeats returns the number of keys that occur more than once, and some of these keys. An error
// of a scratch file is a *ScratchError.
func (k *Keys) FindRepeats(ctx context.Context) (n int64, some []Repeat, err error) {
	hashes := map[uint64]bool{}
	err = k.eachRepeatedHash(ctx, func(hash uint64) {
		if n++; len(hashes) < maxRepeats {
			hashes[hash] = true
		}
	})
	if err != nil || n == 0 {
		return 0, nil, err
	}
	some, err = k.locateRepeats(ctx, hashes)
	return n, some, err
}

// keyRow is a key and a row with it.
type keyRow struct {
	key string
	at  schemas.RowRef
}

// locateRepeats returns the keys with these hashes and the first two rows of each.
func (k *Keys) locateRepeats(ctx context.Context, wanted map[uint64]bool) (some []Repeat, err error) {
	byShard := make([][]keyRow, k.Shards)
	err = k.eachShard(ctx, func(ctx context.Context, shard int) error {
		times := map[uint64]int{}
		return k.Each(ctx, shard, func(key string, at schemas.RowRef) {
			h := xxhash.Sum64String(key)
			if !wanted[h] || times[h] == 2 {
				return
			}
			times[h]++
			byShard[shard] = append(byShard[shard], keyRow{strings.Clone(key), at})
		})
	})
	if err != nil {
		return nil, err
	}
	first := map[uint64]schemas.RowRef{}
	for _, f := range slices.Concat(byShard...) {
		h := xxhash.Sum64String(f.key)
		if before, again := first[h]; again && wanted[h] {
			some = append(some, Repeat{f.key, before, f.at})
			delete(wanted, h)
		}
		first[h] = f.at
	}
	return some, nil
}

// eachShard calls work for all shards, several at a time.
func (k *Keys) eachShard(ctx context.Context, work func(ctx context.Context, shard int) error) error {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(max(k.Workers, 1))
	for shard := range k.Shards {
		g.Go(func() (err error) {
			defer panics.Catch(&err)
			if err := within.Err(); err != nil {
				return err
			}
			return work(within, shard)
		})
	}
	err := g.Wait()
	panics.Rethrow(err)
	return err
}

// eachHashBatch calls see for batches of the hashes of all keys, in any order, one at a time.
func (k *Keys) eachHashBatch(ctx context.Context, see func([]uint64)) error {
	var mu sync.Mutex
	pass := func(hashes []uint64) {
		mu.Lock()
		defer mu.Unlock()
		see(hashes)
	}
	return k.eachShard(ctx, func(ctx context.Context, shard int) error {
		hashes := make([]uint64, 0, hashBatch)
		err := k.Each(ctx, shard, func(key string, _ schemas.RowRef) {
			if hashes = append(hashes, xxhash.Sum64String(key)); len(hashes) == hashBatch {
				pass(hashes)
				hashes = hashes[:0]
			}
		})
		pass(hashes)
		return err
	})
}

// eachRepeatedHash calls found once for each hash that occurs more than once. The order depends on the
// keys only.
func (k *Keys) eachRepeatedHash(ctx context.Context, found func(hash uint64)) error {
	parts := uint64(max(k.MaxKeys, 0)/maxHashes + 1)
	hashesOf := func(part uint64) (hashes []uint64, err error) {
		err = k.eachHashBatch(ctx, func(some []uint64) {
			for _, h := range some {
				if h%parts == part {
					hashes = append(hashes, h)
				}
			}
		})
		return hashes, err
	}
	if parts > 1 && k.Scratch != nil {
		file, err := k.Scratch()
		if err != nil {
			return &ScratchError{err}
		}
		defer file.Discard()
		all := newSpill(file, parts)
		err = k.eachHashBatch(ctx, func(some []uint64) {
			for _, h := range some {
				all.append(h%parts, h)
			}
		})
		if err != nil {
			return err
		}
		if all.err != nil {
			return &ScratchError{all.err}
		}
		hashesOf = all.readPart
	}
	for part := range parts {
		hashes, err := hashesOf(part)
		if err != nil {
			return err
		}
		slices.Sort(hashes)
		for i := 1; i < len(hashes); i++ {
			if hashes[i] == hashes[i-1] && (i < 2 || hashes[i] != hashes[i-2]) {
				found(hashes[i])
			}
		}
	}
	return nil
}
