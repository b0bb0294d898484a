package llmparse

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"capgraph/store"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Key identifies a question: the hash of model, prompt version, sampling and
// text.
type Key [sha256.Size]byte

// String is the key in hexadecimal, as batch files write it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// parseKey reads what String wrote.
func parseKey(s string) (k Key, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(k) {
		return Key{}, fmt.Errorf("%.80q is not a key of %d hexadecimal digits", s, 2*len(k))
	}
	copy(k[:], b)
	return k, nil
}

// newKey hashes parts, each with its length.
func newKey(parts ...string) (k Key) {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	h.Sum(k[:0])
	return k
}

// Record is a reply as it came, with what made it. Decoding is not cached, so
// that a better decoder needs no new reply.
type Record struct {
	Model   string   `json:"model"`
	Prompt  string   `json:"prompt"`
	Text    string   `json:"text,omitempty"` // what was asked of; empty where it came from a batch file
	Form    string   `json:"form"`
	Content string   `json:"content"`
	Finish  string   `json:"finish,omitempty"`  // why the model stopped: stop, length, content_filter
	LogProb *float64 `json:"logprob,omitempty"` // mean log-probability of a token, natural log
	In      int      `json:"in,omitempty"`      // tokens of the prompt
	Out     int      `json:"out,omitempty"`     // tokens of the reply
	Room    int      `json:"room,omitempty"`    // the most tokens it was allowed
	Round   int      `json:"round,omitempty"`   // odd: a run failed for replies of no use, this among them, and it is to be asked for anew; even: it was

	took  time.Duration // from the question to the answer; 0 where it was not asked now
	share time.Duration // how long its write may wait for others
	read  *reply        // what Content says, once readable has found that it can be used
}

var bucket = []byte("replies/1")

// cacheFiles lists the files of a cache folder, in the order of their names.
func cacheFiles(dir string) ([]string, error) {
	if err := checkLocal(dir); err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(dir, "replies-*.db"))
}

// checkLocal refuses a folder in an object store: the files are written in place.
func checkLocal(dir string) error {
	if store.IsURL(dir) {
		return fmt.Errorf("%s is no local path, and replies are written in place: name a local folder, and copy it to and from the store", dir)
	}
	return nil
}

// Cache is a folder of replies: one file that this process writes, and those
// that other processes have written and closed, which it reads. It is safe for
// concurrent use.
type Cache struct {
	own    *bolt.DB
	others []*bolt.DB
	busy   []string
	writes chan write
	done   chan struct{}
	once   sync.Once
}

type write struct {
	key   Key
	value []byte
	share time.Duration // how long after the last write it may come
	err   chan error
}

// lockWait is how long a file that another process holds is waited for.
const lockWait = 20 * time.Millisecond

// The time between two writes is within these bounds: what comes meanwhile shares
// the next.
const (
	leastShare = 40 * time.Millisecond
	mostShare  = time.Second
)

// openCache opens the folder dir, which it makes where there is none. Its
// first file that no process holds becomes this process's own; where all are
// held, a new one does.
func openCache(dir string) (*Cache, error) {
	if err := checkLocal(dir); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	files, err := cacheFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache{writes: make(chan write, 1024), done: make(chan struct{})}
	for _, f := range files {
		if err := c.join(f); err != nil {
			c.closeFiles()
			return nil, err
		}
	}
	for n := len(files); c.own == nil; n++ {
		path := filepath.Join(dir, fmt.Sprintf("replies-%05d.db", n))
		if c.own, err = openFile(path, false); err != nil && !errors.Is(err, berrors.ErrTimeout) {
			c.closeFiles()
			return nil, err
		}
	}
	go c.writer()
	return c, nil
}

// readCache opens the folder dir to read what no process is writing. A folder
// that is not there holds nothing. No Put may follow.
func readCache(dir string) (*Cache, error) {
	files, err := cacheFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache{}
	for _, f := range files {
		if err := c.joinReaders(f); err != nil {
			c.closeFiles()
			return nil, err
		}
	}
	return c, nil
}

// HasReplies says whether the cache folder dir holds a reply, or a file that
// another process is writing. It makes no folder.
func HasReplies(dir string) (has bool, err error) {
	c, err := readCache(dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	has = len(c.busy) > 0
	for _, db := range c.files() {
		err := view(db, func(b *bolt.Bucket) error {
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

// join takes a file for writing, or for reading where this process has one to
// write or where others read it.
func (c *Cache) join(path string) error {
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
	return c.joinReaders(path)
}

// joinReaders takes a file for reading, unless a process is writing it.
func (c *Cache) joinReaders(path string) error {
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

// openFile opens a file of replies and checks that it is whole.
func openFile(path string, readOnly bool) (db *bolt.DB, err error) {
	err = guarded(path, func() error {
		opts := &bolt.Options{Timeout: lockWait, ReadOnly: readOnly, FreelistType: bolt.FreelistMapType}
		opts.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
			if err := checkWhole(name); err != nil {
				return nil, err
			}
			return os.OpenFile(name, flag, mode)
		}
		if db, err = bolt.Open(path, 0o666, opts); err != nil || readOnly {
			return err
		}
		return db.Update(func(tx *bolt.Tx) error {
			_, err := tx.CreateBucketIfNotExists(bucket)
			return err
		})
	})
	if err == nil || errors.Is(err, berrors.ErrTimeout) || strings.HasPrefix(err.Error(), "cache: ") {
		return db, err
	}
	return nil, damaged(path, err)
}

// Get finds the replies to keys: out[i] is nil where there is none. Of replies to
// one question in several files that of the last round is found, and of those that
// of the first file.
func (c *Cache) Get(keys []Key, out []*Record) error {
	for i := range out {
		out[i] = nil
	}
	for _, db := range c.files() {
		err := view(db, func(b *bolt.Bucket) error {
			for i, k := range keys {
				if v := b.Get(k[:]); v != nil {
					r := new(Record)
					if err := json.Unmarshal(v, r); err != nil {
						return damaged(db.Path(), fmt.Errorf("reply %s: %w", k, err))
					}
					if out[i] == nil || r.Round > out[i].Round {
						out[i] = r
					}
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

// files are all open files, the own one first.
func (c *Cache) files() []*bolt.DB {
	if c.own == nil {
		return c.others
	}
	return append([]*bolt.DB{c.own}, c.others...)
}

// view calls f with the replies of db, where it has any.
func view(db *bolt.DB, f func(b *bolt.Bucket) error) error {
	return guarded(db.Path(), func() error {
		return db.View(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			if b == nil {
				return nil
			}
			return f(b)
		})
	})
}

// Put stores a reply and returns once it is on disk. Replies that are stored at
// about the same time share one write.
func (c *Cache) Put(k Key, r *Record) error {
	return c.put([]Key{k}, []*Record{r}, min(max(r.share, leastShare), mostShare))
}

// PutAll stores many replies at once.
func (c *Cache) PutAll(keys []Key, records []*Record) error {
	return c.put(keys, records, 0)
}

func (c *Cache) put(keys []Key, records []*Record, share time.Duration) error {
	done := make(chan error, len(keys))
	for i, k := range keys {
		v, err := json.Marshal(records[i])
		if err != nil {
			return fmt.Errorf("cache: %w", err)
		}
		c.writes <- write{k, v, share, done}
	}
	var errs []error
	for range keys {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// writer stores what waits, all of it in one transaction.
func (c *Cache) writer() {
	defer close(c.done)
	var batch []write
	var last time.Time
	for w := range c.writes {
		time.Sleep(time.Until(last.Add(w.share)))
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
		err := c.store(batch)
		last = time.Now()
		for _, w := range batch {
			w.err <- err
		}
	}
}

// store writes replies in one transaction.
func (c *Cache) store(batch []write) error {
	return guarded(c.own.Path(), func() error {
		err := c.own.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket(bucket)
			for _, w := range batch {
				if err := b.Put(w.key[:], w.value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("cache: %s: %w", c.own.Path(), err)
		}
		return nil
	})
}

// Close stores what waits and lets go of the files. No Put may follow.
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
	for _, db := range c.files() {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}
