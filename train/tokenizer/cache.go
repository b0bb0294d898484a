package tokenizer

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// cache remembers the ids of words. Each slot has one word, the latest. It never grows, nobody
// waits for it, and it changes no result.
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

// put stores ids, which must not change any more.
func (c *cache) put(word []byte, ids []int32) {
	c.slot(word).Store(&entry{string(word), ids})
}

func (c *cache) slot(word []byte) *atomic.Pointer[entry] {
	return &c[xxhash.Sum64(word)%uint64(len(c))]
}
