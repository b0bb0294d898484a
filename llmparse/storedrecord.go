package llmparse

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/text"
)

// A reply is kept in a file of bbolt as a checksum and its JSON. The checksum is the XXH64 of the
// key and the JSON, so that a reply under another key is damaged too.

// sumSize is the size of a checksum, in bytes.
const sumSize = 8

// errSum is the error of a reply that is not the one that was put under its key.
var errSum = errors.New("its checksum is another")

// encodeStored is a reply as it is kept under a key.
func encodeStored(k Key, r *Record) ([]byte, error) {
	said, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint64(nil, checksum(k, said)), said...), nil
}

// readStored reads what stored made for the same key.
func readStored(k Key, value []byte) (*Record, error) {
	if len(value) < sumSize {
		return nil, errSum
	}
	sum, said := binary.LittleEndian.Uint64(value), value[sumSize:]
	if sum != checksum(k, said) {
		return nil, errSum
	}
	r := new(Record)
	if err := json.Unmarshal(said, r); err != nil {
		return nil, err
	}
	return r, nil
}

func checksum(k Key, said []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	d.Write(k[:])
	d.Write(said)
	return d.Sum64()
}

// isReplyTo reports whether r is a reply to q, as far as its own fields say. One that came from a batch
// file has no text, and its prompt is guessed.
func (r *Record) isReplyTo(q *question, model string) bool {
	return r.Model == model && (r.Text == "" || r.Text == q.text && r.Prompt == q.prompt)
}

// repliesAtOnce is how many replies of a cache are in memory together.
const repliesAtOnce = 32

// eachCached calls visit with the cached reply to each question, in order: nil if there is none, or
// one to another question. It holds repliesAtOnce replies, and ends at the first error.
func (c *Client) eachCached(questions []question, visit func(i int, r *Record) error) error {
	var keys [repliesAtOnce]Key
	var records [repliesAtOnce]*Record
	for first := 0; first < len(questions); first += repliesAtOnce {
		part := questions[first:min(first+repliesAtOnce, len(questions))]
		for i := range part {
			keys[i] = part[i].key
		}
		if err := c.cache.Get(keys[:len(part)], records[:len(part)]); err != nil {
			return err
		}
		for i, r := range records[:len(part)] {
			if r != nil && !r.isReplyTo(&part[i], c.opts.Model) {
				c.cache.damage.add(c.opts.Cache, keys[i], errors.New("it answers another question"))
				r = nil
			}
			if err := visit(first+i, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// damageLog lists the damaged replies that this process met.
type damageLog struct {
	mu   sync.Mutex
	keys map[Key]bool
	tell func(text string) // tells a person of the first; nil tells nobody
}

// add records a damaged reply of a file, which counts as missing.
func (d *damageLog) add(file string, k Key, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys[k] {
		return
	}
	if d.keys == nil {
		d.keys = map[Key]bool{}
	}
	d.keys[k] = true
	if len(d.keys) == 1 && d.tell != nil {
		d.tell(fmt.Sprintf("cache: %s: the reply %s is damaged (%v): it counts as missing, and so do others like it", file, k, why))
	}
}

// count returns how many replies were damaged.
func (d *damageLog) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.keys)
}

// DamagedError says how many replies of a cache are damaged, which are left out.
type DamagedError struct {
	Replies int
	File    string // of the first
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("cache: %d %s damaged (the first in %s), and left out: 'capgraph cache prune %s --unusable' removes them, so that they are asked for again",
		e.Replies, text.Plural(e.Replies, "reply is", "replies are"), e.File, text.Quote(filepath.Dir(e.File)))
}
