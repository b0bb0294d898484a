package replies

import (
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// bucket holds the replies of a file, oldBucket the replies of versions without checksums.
var bucket, oldBucket = []byte("replies/2"), []byte("replies/1")

// Cache is a folder of replies: one file that this process writes, and others that it reads. It is
// safe for concurrent use.
type Cache struct {
	own    *bolt.DB // nil if the cache is only read
	others []*bolt.DB
	busy   []string // files that other processes are writing, which are not read
	dir    string
	tokens int // the most tokens of a reply, for Get; 0 is no limit
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

// Bounds of the time between two writes. Replies that arrive in between share the next write.
const (
	minWait = 40 * time.Millisecond
	maxWait = time.Second
)

// startWriter starts the goroutine that writes replies into the own file.
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

// Get sets out[i] to the reply to keys[i], or to nil if there is none or it is damaged. If several
// files have a reply to one question, it is the one of the last round, else the one of the first
// file. A reply that is longer than its tokens can make it counts as none.
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

// databases returns all open files, the own one first.
func (c *Cache) databases() []*bolt.DB {
	if c.own == nil {
		return c.others
	}
	return append([]*bolt.DB{c.own}, c.others...)
}

// viewBucket calls f with the bucket of replies of db, if there is one.
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

// eachRecord calls visit with every reply of db, in the order of the keys: with nil for a damaged one, and
// at the end with nil for each that was stored and cannot be found, as after a damaged page.
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

// putCounted stores replies, and keeps the number of replies in the sequence of the bucket. A bucket with
// replies and without a number is from an earlier version, and gets none.
func putCounted(b *bolt.Bucket, batch []write) error {
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

// runWriter stores the replies that are waiting, all of them in one transaction.
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
			return putCounted(tx.Bucket(bucket), batch)
		})
		if err != nil {
			return fmt.Errorf("cache: %s: %w", c.own.Path(), err)
		}
		return nil
	})
}

// Close stores the replies that are waiting and closes the files. No Put may follow.
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
