package llmparse

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"capgraph/store"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sync/errgroup"
)

// objectsAtOnce are the objects of a folder that are read at a time.
const objectsAtOnce = 4

// openMirror makes a file of replies in the folder scratch that has no name, so that
// it goes with the process.
func openMirror(scratch string) (*bolt.DB, error) {
	f, err := os.CreateTemp(scratch, store.TempPrefix+"capgraph-replies-*")
	if err != nil {
		return nil, scratchError(err)
	}
	defer os.Remove(f.Name()) // which some systems refuse of an open file
	if err := f.Close(); err != nil {
		return nil, scratchError(err)
	}
	db, err := bolt.Open(f.Name(), 0o600, &bolt.Options{NoSync: true, NoFreelistSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return nil, scratchError(err)
	}
	if err := makeBucket(db); err != nil {
		return nil, errors.Join(scratchError(err), db.Close())
	}
	return db, nil
}

// scratchError adds to err that it concerns a mirror, and what to do if its folder is full.
func scratchError(err error) error {
	return fmt.Errorf("cache: a mirror of the replies: %w (free some space there, or name another folder with store.scratch or TMPDIR)", err)
}

// load reads all objects into db and returns their names. Those that others remove
// meanwhile were put in other objects before.
func (s *objectCache) load(db *bolt.DB) (names []string, err error) {
	seen := map[string]bool{}
	for more := true; more; {
		files, err := s.files()
		if err != nil {
			return nil, err
		}
		var gone atomic.Bool
		var g errgroup.Group
		g.SetLimit(objectsAtOnce)
		for _, f := range files {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			names = append(names, f.Name)
			g.Go(func() error {
				keys, records, err := s.readObject(f.Name)
				if errors.Is(err, fs.ErrNotExist) {
					gone.Store(true)
					return nil
				}
				if err != nil {
					return err
				}
				return mergeRecords(db, keys, records)
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		more = gone.Load()
	}
	return names, nil
}

// mergeRecords stores replies in a mirror. Of two replies to one question it keeps the one of the
// later round, else the first in the order of their bytes. So the order of the objects does not
// matter.
func mergeRecords(db *bolt.DB, keys []Key, records []*Record) error {
	err := db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucket)
		for i, k := range keys {
			value, err := encodeStored(k, records[i])
			if err != nil {
				return err
			}
			if old := b.Get(k[:]); old != nil {
				r, err := readStored(k, old)
				if err != nil {
					return err
				}
				if r.Round > records[i].Round || r.Round == records[i].Round && bytes.Compare(old[sumSize:], value[sumSize:]) <= 0 {
					continue
				}
			}
			if err := b.Put(k[:], value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return scratchError(fmt.Errorf("%s: %w", filepath.Dir(db.Path()), err))
	}
	return nil
}
