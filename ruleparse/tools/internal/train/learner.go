package train

import (
	"encoding/binary"
	"math"

	"capgraph/internal/linear"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/penn"
)

// learner trains a linear model over hashed features with AdaGrad (Duchi, Hazan, Singer 2011) and
// the softmax loss.
type learner struct {
	w, g     []float32
	sum      []float32 // sum of w over epochs, for the average
	averaged int
	width    int
	mask     uint32
	rate     float32
}

func newLearner(bits, width int, rate float32) *learner {
	n := width << bits
	return &learner{w: make([]float32, n), g: make([]float32, n), width: width, mask: 1<<bits - 1, rate: rate}
}

// rowStart returns the index in w of the row of feature h.
func (l *learner) rowStart(h uint32) int { return int(linear.RowStart(h, len(l.w), l.width)) }

// featureCounts counts features. Rare ones are dropped, since they would disturb features that
// share a row with them.
type featureCounts struct{ seen []uint8 }

const frequentBits = 26

func newFeatureCounts() *featureCounts { return &featureCounts{make([]uint8, 1<<frequentBits)} }

func (q *featureCounts) countFeatures(f []uint32) {
	for _, h := range f {
		if i := h >> (32 - frequentBits); q.seen[i] < 255 {
			q.seen[i]++
		}
	}
}

func (q *featureCounts) keepFrequent(f []uint32, least uint8) []uint32 {
	out := f[:0]
	for _, h := range f {
		if q.seen[h>>(32-frequentBits)] >= least {
			out = append(out, h)
		}
	}
	return out
}

// dropFeatures copies f to buf, without each feature with probability p (dropout).
func dropFeatures(n *portable.SplitMix64, f []uint32, p float64, buf []uint32) []uint32 {
	buf = buf[:0]
	limit := uint64(p * (1 << 32))
	for _, h := range f {
		if n.Next()>>32 >= limit {
			buf = append(buf, h)
		}
	}
	return buf
}

// permutation returns a random permutation of [0, k).
func permutation(n *portable.SplitMix64, k int) []int {
	order := make([]int, k)
	for i := range order {
		order[i] = i
		j := n.IntN(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}

// learnRow takes one gradient step on an example with features f, in a table whose columns are
// outcomes. The right outcome is gold; only those in set compete. If soft is not nil, it has the
// target probability of each outcome, and gold is not used.
func (l *learner) learnRow(f []uint32, gold int, soft []float32, set uint64) {
	var x [penn.Count]float32
	cols := x[:l.width]
	for _, h := range f {
		r := l.w[l.rowStart(h):][:l.width]
		for k := range cols {
			cols[k] += r[k]
		}
	}
	for k := range cols {
		if set>>k&1 == 0 {
			cols[k] = -1e9
		}
	}
	softmax(cols)
	if soft == nil {
		cols[gold]--
	}
	for k, q := range soft {
		cols[k] -= q
	}
	for k, d := range cols {
		if d > -1e-4 && d < 1e-4 {
			continue
		}
		for _, h := range f {
			l.updateWeight(l.rowStart(h)+k, d)
		}
	}
}

// learnChoice takes one gradient step on a choice among options, lists of features, in a table with
// one column. An empty list scores 0.
func (l *learner) learnChoice(options [][]uint32, gold int, score []float32) {
	score = score[:0]
	for _, f := range options {
		var s float32
		for _, h := range f {
			s += l.w[h&l.mask]
		}
		score = append(score, s)
	}
	softmax(score)
	score[gold]--
	for k, d := range score {
		if d > -1e-3 && d < 1e-3 {
			continue
		}
		for _, h := range options[k] {
			l.updateWeight(int(h&l.mask), d)
		}
	}
}

// addToAverage adds the current weights to the average.
func (l *learner) addToAverage() {
	if l.sum == nil {
		l.sum = make([]float32, len(l.w))
	}
	for i, w := range l.w {
		l.sum[i] += w
	}
	l.averaged++
}

// useAverage replaces the weights by their average.
func (l *learner) useAverage() {
	for i, s := range l.sum {
		l.w[i] = s / float32(l.averaged)
	}
}

func (l *learner) updateWeight(i int, d float32) {
	l.g[i] += float32(d * d)
	l.w[i] -= l.rate * d / float32(math.Sqrt(float64(l.g[i])+1e-3))
}

// appendWeights appends a table of floats, quantised, whose rows have width columns. The largest
// weights are clipped, for a finer resolution of the others.
func appendWeights(b []byte, table []float32, width int) []byte {
	limit := clipLimit(table)
	unit := limit / 127
	b = binary.LittleEndian.AppendUint32(b, uint32(width))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(unit))
	for _, x := range table {
		q := math.Round(float64(x / unit))
		b = append(b, byte(int8(max(-127, min(127, q)))))
	}
	return b
}

// clipLimit returns the value that 1 in 5000 absolute weights exceeds.
func clipLimit(table []float32) float32 {
	var largest float32
	n := 0
	for _, x := range table {
		largest = max(largest, max(x, -x))
		if x != 0 {
			n++
		}
	}
	if largest == 0 {
		return 1
	}
	const steps = 1000
	var counts [steps + 1]int
	for _, x := range table {
		if x != 0 {
			counts[int(max(x, -x)/largest*steps)]++
		}
	}
	over := 0
	for i := steps; i > 0; i-- {
		if over += counts[i]; over > n/5000 {
			return largest * float32(i+1) / steps
		}
	}
	return largest
}

// softmax turns scores into probabilities in place.
func softmax(x []float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp(v - top)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func exp(x float32) float32 { return float32(portable.Exp(float64(x))) }
