package negatives

import (
	"sort"

	"github.com/cespare/xxhash/v2"
)

// random is a sequence of numbers that depends on nothing but its seed
// (SplitMix64).
type random uint64

// newRandom seeds a sequence by the hash of what it is for.
func newRandom(seed uint64, imageKey, text string) random {
	return random(mixed(mixed(seed^xxhash.Sum64String(imageKey)) ^ xxhash.Sum64String(text)))
}

// mixed spreads a number over all 64 bits.
func mixed(x uint64) uint64 {
	r := random(x)
	return r.next()
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below gives a number in [0, n).
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// pick takes a candidate with a probability in proportion to its weight. The
// list must not be empty.
func (r *random) pick(list []Candidate) string {
	x := r.next() % list[len(list)-1].Cum
	return list[sort.Search(len(list), func(i int) bool { return list[i].Cum > x })].Text
}
