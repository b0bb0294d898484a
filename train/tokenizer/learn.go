package tokenizer

import (
	"container/heap"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
)

const (
	// maxSize is the maximum number of ids of a tokenizer that is learned or read.
	maxSize = 1 << 16
	// minPairCount is the minimum number of occurrences of a pair in a corpus for it to become a
	// merge.
	minPairCount = 2
)

// Learn learns merges from texts and returns a tokenizer with size ids, or fewer if no other pair
// occurs twice. size is from 514 to 65,536; the context is DefaultContext. The most frequent pair
// is merged first, and of equally frequent ones that with the smaller name, so that the result
// depends on neither the order of the texts nor the machine. It is an error if the texts have no
// word.
func Learn(texts iter.Seq[string], size int) (*Learned, error) {
	if size < alphabet+marks || size > maxSize {
		return nil, fmt.Errorf("a tokenizer of %d ids: it must be %d (the bytes and the marks) to %d", size, alphabet+marks, maxSize)
	}
	counts := map[string]int{}
	for text := range texts {
		for word, rest := nextWord(appendLowerNFC(nil, text)); len(word) > 0; word, rest = nextWord(rest) {
			counts[string(word)]++
		}
	}
	if len(counts) == 0 {
		return nil, errors.New("there is no word to learn a tokenizer from: the texts are missing or empty")
	}
	l := learner{names: alphabetNames(), taken: map[string]bool{}, pairs: map[pair]*pairCount{}}
	for _, name := range l.names {
		l.taken[name] = true
	}
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		l.words = append(l.words, countedWord{spellBytes([]byte(word)), counts[word]})
	}
	return newLearned(l.learnMerges(size - alphabet - marks)), nil
}

// countedWord is a word as a list of its pieces, and its number of occurrences in the corpus.
type countedWord struct {
	ids   []int32
	count int
}

// pairCount is the number of occurrences of a pair in the corpus, and the words in which it occurs
// or has occurred. A word may be listed twice.
type pairCount struct {
	count int
	words []int
}

// learner is the state of Learn.
type learner struct {
	words []countedWord
	names []string        // the names of all pieces
	taken map[string]bool // whether a piece has this name
	pairs map[pair]*pairCount
	queue pairHeap
}

// learnMerges returns at most n merges.
func (l *learner) learnMerges(n int) []pair {
	touched := map[pair]bool{}
	for i := range l.words {
		l.countPairs(i, touched)
	}
	l.queuePairs(touched)
	var merges []pair
	for len(merges) < n && len(l.queue) > 0 {
		best := heap.Pop(&l.queue).(rankedPair)
		name := best.left + best.right
		// A pair whose count has changed was queued again with its new count. Two pairs may give
		// the same name.
		if l.pairs[best.pair].count != best.count || l.taken[name] {
			continue
		}
		l.taken[name] = true
		l.names = append(l.names, name)
		merges = append(merges, best.pair)
		l.queuePairs(l.mergePair(best.pair, int32(len(l.names)-1)))
	}
	return merges
}

// mergePair merges p into the piece id in every word and returns the pairs whose counts changed.
func (l *learner) mergePair(p pair, id int32) map[pair]bool {
	touched := map[pair]bool{}
	for _, i := range l.pairs[p].words {
		w := &l.words[i]
		if !hasPair(w.ids, p) {
			continue // merged already: the word is listed twice
		}
		for j := range len(w.ids) - 1 {
			q := pair{w.ids[j], w.ids[j+1]}
			l.pairs[q].count -= w.count
			touched[q] = true
		}
		w.ids = joinPair(w.ids, p, id)
		l.countPairs(i, touched)
	}
	return touched
}

// countPairs adds the pairs of word i to the counts, and to touched.
func (l *learner) countPairs(i int, touched map[pair]bool) {
	w := l.words[i]
	for j := range len(w.ids) - 1 {
		q := pair{w.ids[j], w.ids[j+1]}
		f := l.pairs[q]
		if f == nil {
			f = &pairCount{}
			l.pairs[q] = f
		}
		f.count += w.count
		if n := len(f.words); n == 0 || f.words[n-1] != i {
			f.words = append(f.words, i)
		}
		touched[q] = true
	}
}

// queuePairs adds pairs to the queue, with their current counts.
func (l *learner) queuePairs(pairs map[pair]bool) {
	for p := range pairs {
		if n := l.pairs[p].count; n >= minPairCount {
			heap.Push(&l.queue, rankedPair{p, n, l.names[p[0]], l.names[p[1]]})
		}
	}
}

func hasPair(ids []int32, p pair) bool {
	for j := range len(ids) - 1 {
		if ids[j] == p[0] && ids[j+1] == p[1] {
			return true
		}
	}
	return false
}

// joinPair replaces each p in ids by the piece id, from left to right, in place, and returns the
// result.
func joinPair(ids []int32, p pair, id int32) []int32 {
	kept := ids[:0]
	for j := 0; j < len(ids); j++ {
		if j+1 < len(ids) && ids[j] == p[0] && ids[j+1] == p[1] {
			kept = append(kept, id)
			j++
		} else {
			kept = append(kept, ids[j])
		}
	}
	return kept
}

// rankedPair is a pair with the count and the names of its pieces, by which the queue is ordered.
type rankedPair struct {
	pair
	count       int
	left, right string
}

// pairHeap is a heap of pairs: the most frequent first, then ordered by their names.
type pairHeap []rankedPair

func (f pairHeap) Len() int      { return len(f) }
func (f pairHeap) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *pairHeap) Push(x any)   { *f = append(*f, x.(rankedPair)) }
func (f pairHeap) Less(i, j int) bool {
	a, b := &f[i], &f[j]
	switch {
	case a.count != b.count:
		return a.count > b.count
	case a.left != b.left:
		return a.left < b.left
	}
	return a.right < b.right
}
func (f *pairHeap) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
