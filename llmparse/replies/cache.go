package replies

import (
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// bucket is the database bucket of replies; oldBucket is the one of versions without checksums.
var bucket, oldBucket = []byte("replies/2"), []byte("replies/1")

// Cache is a folder of replies: one file that this process writes, and others that it reads. It is
// safe for concurrent use.
type Cache struct {
	own    *bolt.DB // nil if the cache is only read
	others []*bolt.DB
	busy   []string // files that other processes are writing; they are not read
	dir    string
	tokens int // the largest limit of tokens for a reply, for Get; 0 for no limit
	writes chan write
	done   chan struct{}
	once   sync.Once
	damage damageLog
}

type write struct {
	key   Key
	value []byte
	wait  time.Duration // how long after the last write it may come
	err   chan error
}

// Bounds of the time between two writes. All replies that arrive in between share one write.
const (
	minWait = 40 * time.Millisecond
	maxWait = time.Second
)

// startWriter starts the goroutine that writes replies to the process's own file.
func (c *Cache) startWriter() {
	c.writes, c.done = make(chan write, 1024), make(chan struct{})
	go c.runWriter()
}

func makeBucket(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
}

// Get sets out[i] to the reply to keys[i], or to nil if there is none, if it is damaged, or if it is longer than the
// tokens limit. If several files have a reply, Get takes the one of the last round, else the one of the first file.
func (c *Cache) Get(keys []Key, out []*Record) error {
	for i := range out {
		out[i] = nil
	}
	for _, db := range c.databases() {
		err := viewBucket(db, func(b *bolt.Bucket) error {
			for i, k := range keys {
				v := b.Get(k[:])
				if v == nil {
					continue
				}
				r, err := readStored(k, v)
				if err != nil {
					c.damage.add(db.Path(), k, err)
				} else if c.tokens > 0 && r.isTooLong(c.tokens) {
					continue
				} else if out[i] == nil || r.Round > out[i].Round {
					out[i] = r
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// databases returns all open files, the process's own first.
func (c *Cache) databases() []*bolt.DB {
	if c.own == nil {
		return c.others
	}
	return append([]*bolt.DB{c.own}, c.others...)
}

// viewBucket calls f with the bucket of replies of db, if db has one.
func viewBucket(db *bolt.DB, f func(b *bolt.Bucket) error) error {
	return withCorruptionCheck(db.Path(), func() error {
		return db.View(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			if b != nil {
				return f(b)
			}
			if other, _ := tx.Cursor().First(); other != nil {
				return damagedError(db.Path(), fmt.Errorf("it has %q and no replies", other))
			}
			return nil
		})
	})
}

// maxLost is the most replies of a file that are counted as lost.
const maxLost = 1 << 20

// eachRecord calls visit with every reply of db, in the order of the keys, and with nil for a damaged one. At the end
// it calls visit with nil for each reply that was stored and cannot be found, such as after a damaged page.
func eachRecord(db *bolt.DB, visit func(k Key, r *Record) error) error {
	return viewBucket(db, func(b *bolt.Bucket) error {
		found := uint64(0)
		err := b.ForEach(func(key, v []byte) error {
			found++
			var k Key
			if len(key) != len(k) {
				return damagedError(db.Path(), fmt.Errorf("a key of %d bytes", len(key)))
			}
			copy(k[:], key)
			r, err := readStored(k, v)
			if err != nil {
				r = nil
			}
			return visit(k, r)
		})
		for lost := uint64(0); err == nil && found+lost < b.Sequence() && lost < maxLost; lost++ {
			err = visit(Key{}, nil)
		}
		return err
	})
}

// putAndCount stores replies, and keeps their number in the sequence of the bucket. A bucket of an earlier version may
// have replies and no number; it gets none.
func putAndCount(b *bolt.Bucket, batch []write) error {
	count := b.Sequence()
	first, _ := b.Cursor().First()
	counted := count > 0 || first == nil
	for _, w := range batch {
		if b.Get(w.key[:]) == nil {
			count++
		}
		if err := b.Put(w.key[:], w.value); err != nil {
			return err
		}
	}
	if !counted {
		return nil
	}
	return b.SetSequence(count)
}

// Put stores a reply and returns once it is on disk. Replies that are stored at about the same time
// share one write.
func (c *Cache) Put(k Key, r *Record) error {
	return c.putRecords([]Key{k}, []*Record{r}, min(max(r.WriteWait, minWait), maxWait))
}

// PutAll stores many replies at once.
func (c *Cache) PutAll(keys []Key, records []*Record) error {
	return c.putRecords(keys, records, 0)
}

func (c *Cache) putRecords(keys []Key, records []*Record, wait time.Duration) error {
	done := make(chan error, len(keys))
	for i, k := range keys {
		v, err := encodeStored(k, records[i])
		if err != nil {
			return fmt.Errorf("cache: %w", err)
		}
		c.writes <- write{k, v, wait, done}
	}
	var errs []error
	for range keys {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// runWriter stores the waiting replies, all in one transaction, until Close.
func (c *Cache) runWriter() {
	defer close(c.done)
	var batch []write
	var last time.Time
	for w := range c.writes {
		time.Sleep(time.Until(last.Add(w.wait)))
		batch = append(batch[:0], w)
		for more := true; more && len(batch) < cap(c.writes); {
			select {
			case w, ok := <-c.writes:
				if more = ok; ok {
					batch = append(batch, w)
				}
			default:
				more = false
			}
		}
		err := c.storeBatch(batch)
		last = time.Now()
		for _, w := range batch {
			w.err <- err
		}
	}
}

// storeBatch writes replies in one transaction.
func (c *Cache) storeBatch(batch []write) error {
	return withCorruptionCheck(c.own.Path(), func() error {
		err := c.own.Update(func(tx *bolt.Tx) error {
			return putAndCount(tx.Bucket(bucket), batch)
		})
		if err != nil {
			return fmt.Errorf("cache: %s: %w", c.own.Path(), err)
		}
		return nil
	})
}

// Close stores the waiting replies and closes the files. Put must not be called after it.
func (c *Cache) Close() (err error) {
	c.once.Do(func() {
		if c.writes != nil {
			close(c.writes)
			<-c.done
		}
		err = c.closeFiles()
	})
	return err
}

func (c *Cache) closeFiles() error {
	var errs []error
	for _, db := range c.databases() {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}
