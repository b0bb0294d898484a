package tokenizer

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// cache remembers the ids of words, one word a place, the last one that came.
// It never grows, nobody waits for it, and what it holds changes no result.
type cache [1 << 15]atomic.Pointer[entry]

type entry struct {
	word string
	ids  []int32
}

func (c *cache) get(word []byte) (ids []int32, known bool) {
	e := c.place(word).Load()
	if e == nil || e.word != string(word) {
		return nil, false
	}
	return e.ids, true
}

// put keeps ids, which must not change any more.
func (c *cache) put(word []byte, ids []int32) {
	c.place(word).Store(&entry{string(word), ids})
}

func (c *cache) place(word []byte) *atomic.Pointer[entry] {
	return &c[xxhash.Sum64(word)%uint64(len(c))]
}
