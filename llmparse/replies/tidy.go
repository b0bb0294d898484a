package replies

import (
	"errors"
	"fmt"
	"os"
	"slices"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// cacheBatch is how many replies are moved or deleted in one transaction.
const cacheBatch = 4096

// merge moves all replies to the first file, and removes each other file when its replies are on disk. If two files
// have a reply to one question, it keeps the one of the last round, else the one of the first file.
func (p folder) merge() (merged Merged, err error) {
	merged.Files = 1
	c, err := p.open()
	if err != nil {
		return merged, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if len(c.busy) > 0 {
		return merged, inUseError(c.busy[0], berrors.ErrTimeout)
	}
	for len(c.others) > 0 {
		db := c.others[0]
		file := db.Path()
		n, damaged, err := c.mergeFile(db)
		merged.Replies += n
		merged.Damaged += damaged
		if err != nil {
			return merged, err
		}
		c.others = c.others[1:]
		if err := errors.Join(db.Close(), os.Remove(file)); err != nil {
			return merged, fmt.Errorf("cache: %w", err)
		}
	}
	return merged, nil
}

// mergeFile stores the replies in db that c's own file has not, or has damaged or of an earlier round.
func (c *Cache) mergeFile(db *bolt.DB) (moved, damaged int, err error) {
	var keys []Key
	var records []*Record
	flush := func() error {
		err := c.PutAll(keys, records)
		moved += len(keys)
		keys, records = keys[:0], records[:0]
		return err
	}
	err = eachRecord(db, func(k Key, r *Record) error {
		if r == nil {
			damaged++
			return nil
		}
		known := false
		err := viewBucket(c.own, func(b *bolt.Bucket) error {
			if v := b.Get(k[:]); v != nil {
				own, err := readStored(k, v)
				known = err == nil && own.Round >= r.Round
			}
			return nil
		})
		if err != nil || known {
			return err
		}
		keys, records = append(keys, k), append(records, r)
		if len(keys) < cacheBatch {
			return nil
		}
		return flush()
	})
	return moved, damaged, errors.Join(err, flush())
}

// prune is Prune.
func (p folder) prune(drop func(*Record) bool) (removed int, err error) {
	paths, err := p.paths()
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		n, err := pruneFile(path, drop)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

func pruneFile(file string, drop func(*Record) bool) (removed int, err error) {
	db, err := openFile(file, false)
	if err != nil {
		return 0, inUseError(file, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var keys []Key
	kept := uint64(0)
	err = eachRecord(db, func(k Key, r *Record) error {
		if drop(r) {
			keys = append(keys, k)
		} else if r != nil || k != (Key{}) { // the zero key stands for lost replies
			kept++
		}
		return nil
	})
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	for part := range slices.Chunk(keys, cacheBatch) {
		err := db.Update(func(tx *bolt.Tx) error {
			for _, k := range part {
				if err := tx.Bucket(bucket).Delete(k[:]); err != nil {
					return err
				}
			}
			return tx.Bucket(bucket).SetSequence(kept)
		})
		if err != nil {
			return removed, fmt.Errorf("cache: %s: %w", file, err)
		}
		removed += len(part)
	}
	return removed, compact(db, file)
}

// compact writes db anew, without the space of removed replies, and replaces the file.
func compact(db *bolt.DB, file string) error {
	temp := file + ".compact"
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cache: %w", err)
	}
	to, err := bolt.Open(temp, 0o666, nil)
	if err != nil {
		return fmt.Errorf("cache: %s: %w", temp, err)
	}
	err = errors.Join(bolt.Compact(to, db, 1<<20), to.Close())
	if err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		return fmt.Errorf("cache: %s: %w", file, err)
	}
	return nil
}

// MarkForRetry marks the replies to the keys all in the cache, so that they are asked for again. If the cache is open
// only for reading, it does nothing.
func (c *Cache) MarkForRetry(all []Key) error {
	if c.own == nil {
		return nil
	}
	for keys := range slices.Chunk(all, cacheBatch) {
		records := make([]*Record, len(keys))
		if err := c.Get(keys, records); err != nil {
			return err
		}
		var marked []Key
		var again []*Record
		for i, r := range records {
			if r != nil && r.Round%2 == 0 {
				r.Round++
				marked, again = append(marked, keys[i]), append(again, r)
			}
		}
		if err := c.PutAll(marked, again); err != nil {
			return err
		}
	}
	return nil
}
