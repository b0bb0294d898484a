package loader

import (
	"fmt"
	"strconv"

	"capgraph/internal/portable"
	"capgraph/scenegraph"
)

// repeat is what is added to the epoch, for its draws, each time that a window
// takes an image again.
const repeat = 1 << 32

// permutation returns 0 to n-1 in an order that is drawn for a purpose (Fisher
// and Yates; docs/format.md, "The order").
func permutation(d scenegraph.Draw, purpose, key string, n int) []int {
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

// shardOrder is the order in which a pass over the list of that number takes its
// n shards.
func shardOrder(d scenegraph.Draw, list, n int) []int {
	return permutation(d, "shards", strconv.Itoa(list), n)
}

// windowOrder says for each place of a window which of its n images it takes.
// With replacement each place draws from all.
func windowOrder(d scenegraph.Draw, list, window, n int, replacement bool) []int {
	key := fmt.Sprintf("%d\n%d", list, window)
	if !replacement {
		return permutation(d, "order", key, n)
	}
	numbers := d.Random("replacement", key)
	order := make([]int, n)
	for i := range order {
		order[i] = numbers.IntN(n)
	}
	return order
}

// mixer draws which list each sample of an epoch is of.
type mixer struct {
	seed    uint64
	upTo    []float64 // for each list, the sum of the weights up to its own
	numbers portable.SplitMix64
}

// begin makes the first sample of an epoch the next one.
func (m *mixer) begin(epoch int) {
	m.numbers = scenegraph.Draw{Seed: m.seed, Epoch: uint64(epoch)}.Random("corpus", "")
}

// next is the list of the next sample.
func (m *mixer) next() int {
	if len(m.upTo) == 1 {
		return 0
	}
	share := float64(m.numbers.Next()>>11) / (1 << 53) // in [0, 1)
	least := float64(share * m.upTo[len(m.upTo)-1])
	for i, sum := range m.upTo {
		if least < sum {
			return i
		}
	}
	return len(m.upTo) - 1 // the product was rounded up to the sum
}
