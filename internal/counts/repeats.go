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
	// maxHashes is how many keys' hashes are held at a time: 64 MiB of them.
	// Of more keys a part is looked at, then the next one.
	maxHashes = 8 << 20
	// maxRepeats is how many repeats are named.
	maxRepeats = 5
	// hashBatch is how many hashes of a shard are handed over at a time.
	hashBatch = 8 << 10
)

// Repeat is a key that comes more than once, and the first two places of it.
type Repeat struct {
	Key           string
	First, Second schemas.RowRef
}

// ScratchError is that of a scratch file: the keys were read.
type ScratchError struct{ Err error }

func (e *ScratchError) Error() string { return "scratch file: " + e.Err.Error() }

func (e *ScratchError) Unwrap() error { return e.Err }

// Keys are the keys of some shards.
type Keys struct {
	// Shards is how many there are, and Each gives those of one, from 0, in their
	// order. It is called for several shards at a time, and may be called again. A key is
	// valid until see returns.
	Shards int
	Each   func(ctx context.Context, shard int, see func(key string, at schemas.RowRef)) error
	// MaxKeys is how many keys there are about, at most.
	MaxKeys int64
	// Workers is how many shards are read at a time.
	Workers int
	// Scratch makes a file for hashes that are too many at once; an error of it is a
	// ScratchError. Where it is nil, keys are read for every part of them.
	Scratch func() (store.Temp, error)
}

// FindRepeats tells how many keys come more than once, and names some of them.
func (k *Keys) FindRepeats(ctx context.Context) (n int64, some []Repeat, err error) {
	named := map[uint64]bool{}
	err = k.eachRepeatedHash(ctx, func(hash uint64) {
		if n++; len(named) < maxRepeats {
			named[hash] = true
		}
	})
	if err != nil || n == 0 {
		return 0, nil, err
	}
	some, err = k.findRepeats(ctx, named)
	return n, some, err
}

// keyPlace is a key and a place of it.
type keyPlace struct {
	key string
	at  schemas.RowRef
}

// findRepeats finds the first two places of the keys of those hashes.
func (k *Keys) findRepeats(ctx context.Context, named map[uint64]bool) (some []Repeat, err error) {
	byShard := make([][]keyPlace, k.Shards)
	err = k.eachShard(ctx, func(ctx context.Context, shard int) error {
		times := map[uint64]int{}
		return k.Each(ctx, shard, func(key string, at schemas.RowRef) {
			h := xxhash.Sum64String(key)
			if !named[h] || times[h] == 2 {
				return
			}
			times[h]++
			byShard[shard] = append(byShard[shard], keyPlace{strings.Clone(key), at})
		})
	})
	if err != nil {
		return nil, err
	}
	first := map[uint64]schemas.RowRef{}
	for _, f := range slices.Concat(byShard...) {
		h := xxhash.Sum64String(f.key)
		if before, again := first[h]; again && named[h] {
			some = append(some, Repeat{f.key, before, f.at})
			delete(named, h)
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
	panics.Pass(err)
	return err
}

// eachHashBatch gives the hashes of all keys, in no order, one call after the other.
func (k *Keys) eachHashBatch(ctx context.Context, see func([]uint64)) error {
	var one sync.Mutex
	hand := func(hashes []uint64) {
		one.Lock()
		defer one.Unlock()
		see(hashes)
	}
	return k.eachShard(ctx, func(ctx context.Context, shard int) error {
		hashes := make([]uint64, 0, hashBatch)
		err := k.Each(ctx, shard, func(key string, _ schemas.RowRef) {
			if hashes = append(hashes, xxhash.Sum64String(key)); len(hashes) == hashBatch {
				hand(hashes)
				hashes = hashes[:0]
			}
		})
		hand(hashes)
		return err
	})
}

// eachRepeatedHash gives to found each hash that comes more than once, one time, in an order that is
// the same for the same keys.
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
