package clip

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"capgraph/internal/portable"
)

// Resamples are the draws of a bootstrap interval.
const Resamples = 1000

// Interval is the middle 95 % of what the figure would be over units drawn with
// replacement, within each part where the figure is the mean of parts (the
// percentile bootstrap of Efron 1979). The draws are a hash of the measure's name.
// NaN where nothing was scored.
func (m *Measure) Interval() (low, high float64) {
	return bootstrapInterval(m.Name, m.strata(), m.Values)
}

// Difference is how much higher the figure of after is than that of before, over
// the units that both have scored, with its interval: the units are drawn in pairs,
// so that what both find hard does not widen it. NaN where they are not of the same
// units.
func Difference(before, after *Measure) (difference, low, high float64) {
	if len(before.Values) != len(after.Values) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	both := *after
	both.Values = make([]float64, len(after.Values))
	for i, v := range after.Values {
		both.Values[i] = v - before.Values[i]
	}
	low, high = both.Interval()
	return both.Value(), low, high
}

func bootstrapInterval(name string, strata [][]int, values []float64) (low, high float64) {
	if len(strata) == 0 || len(strata[0]) == 0 {
		return math.NaN(), math.NaN()
	}
	sum := sha256.Sum256([]byte("bootstrap\x00" + name))
	numbers := portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))
	means := make([]float64, Resamples)
	for _, units := range strata {
		held := make([]float64, len(units))
		for i, u := range units {
			held[i] = values[u]
		}
		for r := range means {
			var of float64
			for range held {
				of += held[numbers.IntN(len(held))]
			}
			means[r] += of / float64(len(held)) / float64(len(strata))
		}
	}
	slices.Sort(means)
	const outside = Resamples / 40 // of 2.5 % on either side
	return means[outside-1], means[Resamples-outside]
}
