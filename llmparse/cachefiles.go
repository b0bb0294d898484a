package llmparse

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// cacheBatch is how many replies are moved or deleted in one transaction.
const cacheBatch = 4096

// eachReply calls visit with every reply of the cache folder dir, file by file, in
// the order of the keys within a file. A file that a process is writing is an
// error.
func eachReply(dir string, visit func(file string, k Key, r *Record) error) error {
	files, err := cacheFilesOf(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		db, err := openFile(file, true)
		if err != nil {
			return inUse(file, err)
		}
		err = eachOf(db, func(k Key, r *Record) error { return visit(file, k, r) })
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
	}
	return nil
}

func cacheFilesOf(dir string) ([]string, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	files, err := cacheFiles(dir)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("cache: %s holds no files of replies", dir)
	}
	return files, err
}

func inUse(file string, err error) error {
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("cache: %s: another process is writing it: wait until its run has ended", file)
	}
	return err
}

func eachOf(db *bolt.DB, visit func(k Key, r *Record) error) error {
	return view(db, func(b *bolt.Bucket) error {
		return b.ForEach(func(key, v []byte) error {
			var k Key
			r := new(Record)
			if len(key) != len(k) {
				return damaged(db.Path(), fmt.Errorf("a key of %d bytes", len(key)))
			}
			if err := json.Unmarshal(v, r); err != nil {
				return damaged(db.Path(), fmt.Errorf("reply %x: %w", key, err))
			}
			copy(k[:], key)
			return visit(k, r)
		})
	})
}

// CacheGroup is what a cache holds of one model and one version of a prompt.
type CacheGroup struct {
	Model, Prompt     string
	Replies, Unusable int
	In, Out           int // tokens
}

// CacheStats says what the cache folder dir holds, in the order of models and
// prompts, and the bytes of its files.
func CacheStats(dir string) (groups []CacheGroup, files int, bytes int64, err error) {
	names, err := cacheFilesOf(dir)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, 0, 0, fmt.Errorf("cache: %w", err)
		}
		bytes += info.Size()
	}
	by := map[[2]string]*CacheGroup{}
	err = eachReply(dir, func(_ string, _ Key, r *Record) error {
		id := [2]string{r.Model, r.Prompt}
		if by[id] == nil {
			by[id] = &CacheGroup{Model: r.Model, Prompt: r.Prompt}
		}
		g := by[id]
		g.Replies++
		g.In += r.In
		g.Out += r.Out
		if !r.Usable() {
			g.Unusable++
		}
		return nil
	})
	for _, g := range by {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b CacheGroup) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Prompt, b.Prompt))
	})
	return groups, len(names), bytes, err
}

// Usable says whether a reply can be read. One that cannot is kept all the
// same, so that it is not paid for again.
func (r *Record) Usable() bool {
	switch r.Prompt {
	case PromptVersion:
		_, err := readReply(r.Content)
		return err == nil
	case FillVersion:
		return usableFilling(r)
	case WholeVersion:
		return r.usableWhole()
	}
	return r.Content != ""
}

// ExportCache writes every reply of the cache folder dir as a line of JSON with
// its key.
func ExportCache(dir string, w io.Writer) error {
	enc := json.NewEncoder(w)
	return eachReply(dir, func(_ string, k Key, r *Record) error {
		return enc.Encode(struct {
			Key string `json:"key"`
			*Record
		}{k.String(), r})
	})
}

// MergeCache brings all files of the cache folder dir into the first and
// removes the others, each once its replies are on disk. Where two files have a
// reply to one question, that of the last round stands, or of the first file. It
// returns how many replies were moved.
func MergeCache(dir string) (moved int, err error) {
	if _, err := cacheFilesOf(dir); err != nil {
		return 0, err
	}
	c, err := openCache(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if len(c.busy) > 0 {
		return 0, inUse(c.busy[0], berrors.ErrTimeout)
	}
	for len(c.others) > 0 {
		db := c.others[0]
		file := db.Path()
		n, err := c.absorb(db)
		moved += n
		if err != nil {
			return moved, err
		}
		c.others = c.others[1:]
		if err := errors.Join(db.Close(), os.Remove(file)); err != nil {
			return moved, fmt.Errorf("cache: %w", err)
		}
	}
	return moved, nil
}

// absorb stores what db has and the own file lacks, or has of an earlier round.
func (c *Cache) absorb(db *bolt.DB) (moved int, err error) {
	var keys []Key
	var records []*Record
	flush := func() error {
		err := c.PutAll(keys, records)
		moved += len(keys)
		keys, records = keys[:0], records[:0]
		return err
	}
	err = eachOf(db, func(k Key, r *Record) error {
		known := false
		err := view(c.own, func(b *bolt.Bucket) error {
			v := b.Get(k[:])
			if v == nil {
				return nil
			}
			var own Record
			if err := json.Unmarshal(v, &own); err != nil {
				return damaged(c.own.Path(), fmt.Errorf("reply %s: %w", k, err))
			}
			known = own.Round >= r.Round
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
	return moved, errors.Join(err, flush())
}

// PruneCache removes the replies of the cache folder dir for which drop is
// true, and gives the room back. It returns how many it removed.
func PruneCache(dir string, drop func(*Record) bool) (removed int, err error) {
	files, err := cacheFilesOf(dir)
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		n, err := pruneFile(file, drop)
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
		return 0, inUse(file, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var keys []Key
	err = eachOf(db, func(k Key, r *Record) error {
		if drop(r) {
			keys = append(keys, k)
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
			return nil
		})
		if err != nil {
			return removed, fmt.Errorf("cache: %s: %w", file, err)
		}
		removed += len(part)
	}
	return removed, compact(db, file)
}

// compact writes db anew without the room of what was removed, and puts the
// new file in its place.
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
