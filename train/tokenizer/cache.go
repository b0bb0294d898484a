package tokenizer

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// cache keeps the ids of words. Each slot has the latest word whose hash is that slot. It has a
// fixed size, needs no locks, and does not change results.
type cache [1 << 15]atomic.Pointer[entry]

type entry struct {
	word string
	ids  []int32
}

func (c *cache) get(word []byte) (ids []int32, known bool) {
	e := c.slot(word).Load()
	if e == nil || e.word != string(word) {
		return nil, false
	}
	return e.ids, true
}

// put stores the ids of a word. They must not be changed afterwards.
func (c *cache) put(word []byte, ids []int32) {
	c.slot(word).Store(&entry{string(word), ids})
}

func (c *cache) slot(word []byte) *atomic.Pointer[entry] {
	return &c[xxhash.Sum64(word)%uint64(len(c))]
}
