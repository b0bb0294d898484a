package products

import (
	"math"
	"runtime"
	"sync"
)

// Best keeps, of each of some items, the largest numbers that were offered for it,
// each with an index that says where it is from.
type Best struct {
	keep    int
	numbers []float32
	indices []int32
}

// NewBest returns what keeps so many numbers of each of n items.
func NewBest(n, keep int) *Best {
	b := &Best{keep: keep, numbers: make([]float32, n*keep), indices: make([]int32, n*keep)}
	for i := range b.numbers {
		b.numbers[i], b.indices[i] = float32(math.Inf(-1)), -1
	}
	return b
}

// Offer puts a number in its place among those of an item. Of equal ones that which
// was offered first is before; what is no number is left out. Items are apart: one
// goroutine may offer for one while another does for another.
func (b *Best) Offer(item int, number float32, index int) {
	if b.keep == 0 {
		return
	}
	numbers := b.numbers[item*b.keep : (item+1)*b.keep]
	if !(number > numbers[b.keep-1]) {
		return
	}
	indices := b.indices[item*b.keep : (item+1)*b.keep]
	at := b.keep - 1
	for ; at > 0 && number > numbers[at-1]; at-- {
		numbers[at], indices[at] = numbers[at-1], indices[at-1]
	}
	numbers[at], indices[at] = number, int32(index)
}

// Of are the numbers that are kept of an item, the largest first, and their
// indices; -Inf and -1 where fewer were offered.
func (b *Best) Of(item int) (numbers []float32, indices []int32) {
	return b.numbers[item*b.keep : (item+1)*b.keep], b.indices[item*b.keep : (item+1)*b.keep]
}

// Parts calls do for parts of 0 to n-1, at once on all processors, and waits.
func Parts(n int, do func(first, last int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	all.Wait()
}
