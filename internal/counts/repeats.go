package counts

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/store"
)

const (
	// hashesAtOnce is how many keys' hashes are held at a time: 64 MiB of them.
	// Of more keys a part is looked at, then the next one.
	hashesAtOnce = 8 << 20
	// mostRepeats is how many repeats are named.
	mostRepeats = 5
)

// Place is a row of a shard, from 0.
type Place struct {
	Shard string
	Row   int64
}

// Repeat is a key that comes more than once, and the first two places of it.
type Repeat struct {
	Key           string
	First, Second Place
}

// ScratchError is that of a scratch file: the keys were read.
type ScratchError struct{ Err error }

func (e *ScratchError) Error() string { return "scratch file: " + e.Err.Error() }

func (e *ScratchError) Unwrap() error { return e.Err }

// Repeats tells how many keys come more than once, and names some of them.
// each gives all keys in their order, at most so many as keys says. Hashes that
// are too many at once wait in the file that scratch makes, of which an error is a
// ScratchError; where that is nil, each is called for every part of them.
func Repeats(keys int64, scratch func() (store.Temp, error), each func(see func(key string, at Place)) error) (n int64, some []Repeat, err error) {
	named := map[uint64]bool{}
	hashes := func(see func(uint64)) error {
		return each(func(key string, _ Place) { see(xxhash.Sum64String(key)) })
	}
	err = EachRepeated(keys, scratch, hashes, func(hash uint64) {
		if n++; len(named) < mostRepeats {
			named[hash] = true
		}
	})
	if err != nil || n == 0 {
		return 0, nil, err
	}
	first := map[uint64]Place{}
	err = each(func(key string, at Place) {
		h := xxhash.Sum64String(key)
		if !named[h] {
			return
		}
		if before, again := first[h]; again {
			some = append(some, Repeat{strings.Clone(key), before, at})
			delete(named, h)
		}
		first[h] = at
	})
	return n, some, err
}

// EachRepeated gives to found each hash that comes more than once, one time. each
// gives all hashes, about so many as n says; scratch is as Repeats has it.
func EachRepeated(n int64, scratch func() (store.Temp, error), each func(see func(hash uint64)) error, found func(hash uint64)) error {
	parts := uint64(max(n, 0)/hashesAtOnce + 1)
	hashesOf := func(part uint64) (hashes []uint64, err error) {
		err = each(func(h uint64) {
			if h%parts == part {
				hashes = append(hashes, h)
			}
		})
		return hashes, err
	}
	if parts > 1 && scratch != nil {
		file, err := scratch()
		if err != nil {
			return &ScratchError{err}
		}
		defer file.Discard()
		all := newSpill(file, parts)
		if err := each(func(h uint64) { all.add(h%parts, h) }); err != nil {
			return err
		}
		if all.err != nil {
			return &ScratchError{all.err}
		}
		hashesOf = all.hashes
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
