package clip

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"capgraph/internal/portable"
)

// Resamples is the number of draws of a bootstrap interval.
const Resamples = 1000

// Interval returns the 95 % percentile bootstrap interval of the figure (Efron 1979). Units are drawn
// with replacement, within each part if the figure is a mean over parts. The draws are a hash of the
// measure's name. It returns NaN if nothing was scored.
func (m *Measure) Interval() (low, high float64) {
	return bootstrapInterval(m.Name, m.strata(), m.Values)
}

// Difference returns the figure of after minus the figure of before, over the units that both have scored,
// with its interval. Units are drawn in pairs, so that units that are hard for both do not widen it. It
// returns NaN if the measures do not have the same units.
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

// bootstrapInterval returns the interval of the mean over strata.
func bootstrapInterval(name string, strata [][]int, values []float64) (low, high float64) {
	if len(strata) == 0 || len(strata[0]) == 0 {
		return math.NaN(), math.NaN()
	}
	seed := sha256.Sum256([]byte("bootstrap\x00" + name))
	numbers := portable.SplitMix64(binary.LittleEndian.Uint64(seed[:]))
	means := make([]float64, Resamples)
	for _, units := range strata {
		stratum := make([]float64, len(units))
		for i, u := range units {
			stratum[i] = values[u]
		}
		for r := range means {
			var sum float64
			for range stratum {
				sum += stratum[numbers.IntN(len(stratum))]
			}
			means[r] += sum / float64(len(stratum)) / float64(len(strata))
		}
	}
	slices.Sort(means)
	const outside = Resamples / 40 // 2.5 % on either side
	return means[outside-1], means[Resamples-outside]
}
