package tokenizer

import (
	"container/heap"
	"fmt"
)

const (
	letters  = 256         // number of ids of bytes within a word; as many follow for bytes at the end of a word
	alphabet = 2 * letters // number of ids of bytes: the first id of a merge
	marks    = 2           // number of marks: the start and the end mark
	// maxCachedWord is the maximum length of a word in the cache, in bytes.
	maxCachedWord = 64
)

// pair is the ids of two neighbouring pieces of a word.
type pair [2]int32

// bpe is byte pair encoding by a list of merges.
type bpe struct {
	merged  map[pair]int32 // the id of the merged pair; lower ids are merged first
	count   int            // number of merges
	context int
	special bool // whether a mark that a text spells out counts as the mark
	words   *cache
}

// newBPE returns a bpe with these merges. The ids of each merge come before its own id.
func newBPE(merges []pair) bpe {
	b := bpe{merged: make(map[pair]int32, len(merges)), count: len(merges), context: DefaultContext, words: &cache{}}
	for i, m := range merges {
		b.merged[m] = int32(alphabet + i)
	}
	return b
}

// Size returns the number of ids: 512 for bytes, one for each merge and two for the marks.
func (b *bpe) Size() int { return alphabet + b.count + marks }

// Context returns the maximum number of ids of a text, including both marks.
func (b *bpe) Context() int { return b.context }

// Start returns the id of the mark before a text.
func (b *bpe) Start() int32 { return int32(alphabet + b.count) }

// End returns the id of the mark after a text.
func (b *bpe) End() int32 { return int32(alphabet + b.count + 1) }

// withContext returns b for texts of at most n ids.
func (b bpe) withContext(n int) (bpe, error) {
	if n < marks {
		return bpe{}, fmt.Errorf("a context of %d ids has no room for the start and the end mark: it must be at least %d", n, marks)
	}
	b.context = n
	return b, nil
}

// encode appends the ids of a clean text to dst, with both marks.
func (b *bpe) encode(dst []int32, text []byte) []int32 {
	last := len(dst) + b.context - 1
	dst = append(dst, b.Start())
	for len(dst) < last {
		var word []byte
		if word, text = nextWord(text); len(word) == 0 {
			break
		}
		dst = b.appendWord(dst, word)
	}
	return append(dst[:min(len(dst), last)], b.End())
}

// appendWord appends the ids of a word to dst.
func (b *bpe) appendWord(dst []int32, word []byte) []int32 {
	if b.special && word[0] == '<' {
		switch string(word) {
		case startMark:
			return append(dst, b.Start())
		case endMark:
			return append(dst, b.End())
		}
	}
	if len(word) > maxCachedWord {
		return append(dst, b.mergeWord(word)...)
	}
	ids, known := b.words.get(word)
	if !known {
		ids = b.mergeWord(word)
		b.words.put(word, ids)
	}
	return append(dst, ids...)
}

// mergeWord computes the ids of a word from its bytes, in time O(n log n) for n bytes.
func (b *bpe) mergeWord(word []byte) []int32 {
	ids := spellBytes(word)
	// A piece is stored at the index of its first byte; next and prev have the indices of its
	// neighbours. A piece that was merged into the one before it is removed.
	next, prev := make([]int, len(ids)), make([]int, len(ids))
	var queue candidates
	offer := func(at int) {
		if after := next[at]; after < len(ids) {
			if id, ok := b.merged[pair{ids[at], ids[after]}]; ok {
				heap.Push(&queue, candidate{id, at})
			}
		}
	}
	for i := range ids {
		next[i], prev[i] = i+1, i-1
	}
	for i := range ids {
		offer(i)
	}
	for len(queue) > 0 {
		c := heap.Pop(&queue).(candidate)
		after := next[c.at]
		if ids[c.at] == removed || after == len(ids) || b.merged[pair{ids[c.at], ids[after]}] != c.id {
			continue // one of the two pieces has changed since the offer
		}
		ids[c.at], ids[after] = c.id, removed
		next[c.at] = next[after]
		if next[c.at] < len(ids) {
			prev[next[c.at]] = c.at
		}
		if prev[c.at] >= 0 {
			offer(prev[c.at])
		}
		offer(c.at)
	}
	kept := ids[:0]
	for _, id := range ids {
		if id != removed {
			kept = append(kept, id)
		}
	}
	return kept
}

// removed is the id of a piece that was merged into the one before it.
const removed = -1

// spellBytes returns the ids of the bytes of a word.
func spellBytes(word []byte) []int32 {
	ids := make([]int32, len(word))
	for i, b := range word {
		ids[i] = byteIDs[b]
	}
	ids[len(ids)-1] += letters
	return ids
}

// candidate is a merge that is possible in a word: its id, and the index of its first piece.
type candidate struct {
	id int32
	at int
}

// candidates is a heap: the merge with the lowest id first, then from left to right.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(candidate)) }
func (c candidates) Less(i, j int) bool {
	return c[i].id < c[j].id || c[i].id == c[j].id && c[i].at < c[j].at
}
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
