package replies

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"capgraph/store"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// folder is the path of a local folder with files of replies, which are bbolt databases. Each process writes its own
// file, and reads the files that no other process is writing.
type folder string

// lockWait is how long to wait for a file that another process has locked. bbolt tries again every 50 ms if the next
// attempt ends in time, so a shorter wait would allow only one attempt.
const lockWait = 120 * time.Millisecond

// paths returns the paths of the files, in the order of their names.
func (p folder) paths() ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(string(p), "replies-*.db"))
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return paths, nil
}

func (p folder) files() ([]store.Info, error) {
	paths, err := p.paths()
	if err != nil {
		return nil, err
	}
	infos := make([]store.Info, len(paths))
	for i, path := range paths {
		if infos[i], err = (store.Local{}).Stat(path); err != nil {
			return nil, fmt.Errorf("cache: %w", err)
		}
	}
	return infos, nil
}

// open opens the files for reading and one of them for writing: the first that no other process has locked, else a new
// one. It makes the folder if there is none.
func (p folder) open() (*Cache, error) {
	if err := os.MkdirAll(string(p), 0o777); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	paths, err := p.paths()
	if err != nil {
		return nil, err
	}
	c := &Cache{dir: string(p)}
	for _, path := range paths {
		if err := c.attachFile(path); err != nil {
			c.closeFiles()
			return nil, err
		}
	}
	for n := len(paths); c.own == nil; n++ {
		path := filepath.Join(string(p), fmt.Sprintf("replies-%05d.db", n))
		if c.own, err = openFile(path, false); err != nil && !errors.Is(err, berrors.ErrTimeout) {
			c.closeFiles()
			return nil, err
		}
	}
	c.startWriter()
	return c, nil
}

// openReadOnly opens for reading the files that no process is writing. An absent folder has no replies.
func (p folder) openReadOnly() (*Cache, error) {
	paths, err := p.paths()
	if err != nil {
		return nil, err
	}
	c := &Cache{dir: string(p)}
	for _, path := range paths {
		if err := c.attachReader(path); err != nil {
			c.closeFiles()
			return nil, err
		}
	}
	return c, nil
}

// hasReplies reports whether a file of the folder holds a reply or is being written by another process.
func (p folder) hasReplies() (has bool, err error) {
	c, err := p.openReadOnly()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	has = len(c.busy) > 0
	for _, db := range c.databases() {
		err := viewBucket(db, func(b *bolt.Bucket) error {
			k, _ := b.Cursor().First()
			has = has || k != nil
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return has, nil
}

// eachReply calls visit with every undamaged reply. If a process is writing a file, it returns an error. If replies are
// damaged, it returns a *DamagedError at the end.
func (p folder) eachReply(visit func(file string, k Key, r *Record) error) error {
	paths, err := p.paths()
	if err != nil {
		return err
	}
	var some DamagedError
	for _, path := range paths {
		db, err := openFile(path, true)
		if err != nil {
			return inUseError(path, err)
		}
		err = eachRecord(db, func(k Key, r *Record) error {
			if r == nil {
				some.Replies++
				some.File = cmp.Or(some.File, path)
				return nil
			}
			return visit(path, k, r)
		})
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
	}
	if some.Replies > 0 {
		return &some
	}
	return nil
}

// attachFile opens a file for writing if c has none to write yet and no other process has it open, else for reading.
func (c *Cache) attachFile(path string) error {
	if c.own == nil {
		db, err := openFile(path, false)
		if err == nil {
			c.own = db
			return nil
		}
		if !errors.Is(err, berrors.ErrTimeout) {
			return err
		}
	}
	return c.attachReader(path)
}

// attachReader opens a file for reading, unless a process is writing it.
func (c *Cache) attachReader(path string) error {
	db, err := openFile(path, true)
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		c.busy = append(c.busy, path)
		return nil
	case err != nil:
		return err
	}
	c.others = append(c.others, db)
	return nil
}

// openFile opens a file of replies and checks that it is complete.
func openFile(path string, readOnly bool) (db *bolt.DB, err error) {
	err = withCorruptionCheck(path, func() error {
		opts := &bolt.Options{Timeout: lockWait, ReadOnly: readOnly, FreelistType: bolt.FreelistMapType}
		opts.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
			if err := checkComplete(name); err != nil {
				return nil, err
			}
			return os.OpenFile(name, flag, mode)
		}
		if db, err = bolt.Open(path, 0o666, opts); err != nil {
			return err
		}
		if hasOldFormat(db) {
			return errors.Join(fmt.Errorf("cache: %s is of an earlier version, whose replies have no checksums: move the file away; its replies will be asked for again", path), db.Close())
		}
		if readOnly {
			return nil
		}
		return makeBucket(db)
	})
	if err == nil || errors.Is(err, berrors.ErrTimeout) {
		return db, err
	}
	if strings.HasPrefix(err.Error(), "cache: ") {
		return nil, err
	}
	return nil, damagedError(path, err)
}

// hasOldFormat reports whether a file was written by a version without checksums.
func hasOldFormat(db *bolt.DB) (old bool) {
	db.View(func(tx *bolt.Tx) error { // returns the error of the function
		old = tx.Bucket(oldBucket) != nil
		return nil
	})
	return old
}

func inUseError(file string, err error) error {
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("cache: %s: another process is writing it: wait until its run has ended", file)
	}
	return err
}
