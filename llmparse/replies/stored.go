package replies

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

// bbolt stores a reply as a checksum and JSON. The checksum is the XXH64 of the key and the JSON,
// so that a reply under a wrong key counts as damaged too.

// sumSize is the size of a checksum, in bytes.
const sumSize = 8

// errSum is the error of a reply whose checksum is wrong.
var errSum = errors.New("its checksum is another")

// encodeStored returns the bytes that are stored for a reply under key k.
func encodeStored(k Key, r *Record) ([]byte, error) {
	said, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint64(nil, checksum(k, said)), said...), nil
}

// readStored decodes what encodeStored returned for the same key.
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

// damageLog lists the damaged replies that this process has read.
type damageLog struct {
	mu   sync.Mutex
	keys map[Key]bool
	warn func(text string) // gets a warning about the first; may be nil
}

// add records a damaged reply in a file, which counts as missing.
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
	if len(d.keys) == 1 && d.warn != nil {
		d.warn(fmt.Sprintf("cache: %s: the reply %s is damaged (%v): it counts as missing, and so do others like it", file, k, why))
	}
}

// count returns how many replies were damaged.
func (d *damageLog) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.keys)
}

// DamagedError is the error of a cache with damaged replies, which were left out.
type DamagedError struct {
	Replies int
	File    string // of the first
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("cache: %d %s damaged (the first in %s), and left out: 'capgraph cache prune %s --unusable' removes them, so that they are asked for again",
		e.Replies, text.Plural(e.Replies, "reply is", "replies are"), e.File, text.Quote(filepath.Dir(e.File)))
}

// SetWarn sets the function that gets a warning about the first damaged reply. Call it before Get.
func (c *Cache) SetWarn(warn func(text string)) { c.damage.warn = warn }

// ReportDamaged counts the reply to key k as damaged, for a reason that the caller found.
func (c *Cache) ReportDamaged(k Key, why error) { c.damage.add(c.dir, k, why) }

// Damaged returns how many damaged replies this process has read, each counted once.
func (c *Cache) Damaged() int { return c.damage.count() }
