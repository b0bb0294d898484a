package loader

import (
	"fmt"
	"strconv"

	"capgraph/internal/portable"
	"capgraph/schemas/drawing"
)

// repeatEpochStep is added to the epoch of an image's draws each time that a window repeats the
// image.
const repeatEpochStep = 1 << 32

// drawPermutation draws an order of 0 to n-1 for a purpose, such as "shards" (Fisher and Yates;
// docs/format.md, "The order").
func drawPermutation(d drawing.Draw, purpose, key string, n int) []int {
	numbers := d.Random(purpose, key)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := numbers.IntN(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// shardOrder returns the order in which a pass over a stream takes its n shards.
func shardOrder(d drawing.Draw, list, n int) []int {
	return drawPermutation(d, "shards", strconv.Itoa(list), n)
}

// windowOrder returns, for each place of a window, the index of the image there. With replacement,
// each place draws from all n images.
func windowOrder(d drawing.Draw, list, window, n int, replacement bool) []int {
	key := fmt.Sprintf("%d\n%d", list, window)
	if !replacement {
		return drawPermutation(d, "order", key, n)
	}
	numbers := d.Random("replacement", key)
	order := make([]int, n)
	for i := range order {
		order[i] = numbers.IntN(n)
	}
	return order
}

// mixer draws the stream of each sample of an epoch.
type mixer struct {
	seed       uint64
	cumulative []float64 // for each stream, the sum of the weights up to its own
	numbers    portable.SplitMix64
}

// beginEpoch begins the draws of an epoch.
func (m *mixer) beginEpoch(epoch int) {
	m.numbers = drawing.Draw{Seed: m.seed, Epoch: uint64(epoch)}.Random("corpus", "")
}

// nextList draws the stream of the next sample.
func (m *mixer) nextList() int {
	if len(m.cumulative) == 1 {
		return 0
	}
	share := float64(m.numbers.Next()>>11) / (1 << 53) // in [0, 1)
	least := float64(share * m.cumulative[len(m.cumulative)-1])
	for i, sum := range m.cumulative {
		if least < sum {
			return i
		}
	}
	return len(m.cumulative) - 1 // the product was rounded up to the sum
}
