package products

import (
	"math"
	"runtime"
	"sync"
)

// Best keeps, for each of several items, the largest numbers that were offered for it, each with an
// index.
type Best struct {
	keep    int
	numbers []float32
	indices []int32
	least   []float32 // for each item, the number that a new one must exceed to be kept
}

// NewBest returns a Best that keeps up to keep numbers for each of n items.
func NewBest(n, keep int) *Best {
	b := &Best{keep: keep, numbers: make([]float32, n*keep), indices: make([]int32, n*keep), least: make([]float32, n)}
	for i := range b.least {
		b.least[i] = float32(math.Inf(-1))
	}
	for i := range b.numbers {
		b.numbers[i], b.indices[i] = float32(math.Inf(-1)), -1
	}
	return b
}

// Offer keeps a number for an item if it is among the largest. Of equal numbers, the one that was
// offered first comes first; NaN is ignored. Different goroutines may offer for different items.
func (b *Best) Offer(item int, number float32, index int) {
	if number > b.least[item] {
		b.insert(item, number, index)
	}
}

// OfferRow offers numbers for one item, whose indices count up from first.
func (b *Best) OfferRow(item int, numbers []float32, first int) {
	least := b.least[item]
	for i, number := range numbers {
		if number > least {
			b.insert(item, number, first+i)
			least = b.least[item]
		}
	}
}

// OfferColumn offers one number for each item from first on, all with the same index.
func (b *Best) OfferColumn(first int, numbers []float32, index int) {
	least := b.least[first : first+len(numbers)]
	for i, number := range numbers {
		if number > least[i] {
			b.insert(first+i, number, index)
		}
	}
}

func (b *Best) insert(item int, number float32, index int) {
	if b.keep == 0 {
		return
	}
	numbers, indices := b.Kept(item)
	at := b.keep - 1
	for ; at > 0 && number > numbers[at-1]; at-- {
		numbers[at], indices[at] = numbers[at-1], indices[at-1]
	}
	numbers[at], indices[at] = number, int32(index)
	b.least[item] = numbers[b.keep-1]
}

// Kept returns the numbers that are kept for an item, the largest first, and their indices. If
// fewer were offered, the others are -Inf and -1.
func (b *Best) Kept(item int) (numbers []float32, indices []int32) {
	return b.numbers[item*b.keep : (item+1)*b.keep], b.indices[item*b.keep : (item+1)*b.keep]
}

// Parallel splits 0 to n-1 into ranges from first to last-1, calls do for all of them on all
// processors, and waits.
func Parallel(n int, do func(first, last int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	all.Wait()
}
