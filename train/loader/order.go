package loader

import (
	"fmt"
	"strconv"

	"capgraph/internal/portable"
	"capgraph/schemas/drawing"
)

// repeatEpochStep is added to the epoch for each further time that a window has the same image, so
// that its draws differ.
const repeatEpochStep = 1 << 32

// drawPermutation returns a random permutation of 0 to n-1 (Fisher and Yates; docs/format.md, "The
// order"). It depends on d, the purpose, such as "shards", and key.
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

// shardOrder returns the order in which a pass over stream number list reads its n shards.
func shardOrder(d drawing.Draw, list, n int) []int {
	return drawPermutation(d, "shards", strconv.Itoa(list), n)
}

// windowOrder returns, for each place of a window, the index of its image. If replacement is true,
// each place is drawn from all n images.
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

// mixer draws the stream from which each sample of an epoch comes.
type mixer struct {
	seed       uint64
	cumulative []float64 // for each stream, the sum of the weights up to its own
	numbers    portable.SplitMix64
}

// beginEpoch restarts the draws for an epoch.
func (m *mixer) beginEpoch(epoch int) {
	m.numbers = drawing.Draw{Seed: m.seed, Epoch: uint64(epoch)}.Random("corpus", "")
}

// nextStream draws and returns the index of the stream of the next sample.
func (m *mixer) nextStream() int {
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
	return len(m.cumulative) - 1 // the product was rounded up to the sum of weights
}
