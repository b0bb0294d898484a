package balance

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// Chooser keeps candidates by their score. It is not safe for concurrent use:
// make one for each worker; they share the model.
type Chooser struct {
	scorer *Scorer
	bias   float32
	seed   uint64
}

// NewChooser makes a chooser; seed is the seed of the run.
func NewChooser(m *Model, opts Options, seed uint64) *Chooser {
	return &Chooser{scorer: m.Scorer(), bias: float32(opts.Bias), seed: seed}
}

// Choose sets the score of every negative of a pool, and keep[i] to false for those that it
// rejects. The choice depends on the seed, the image key, the key and the texts alone. Each is kept
// with its probability. They are drawn together, by systematic sampling (Madow 1949), so that at
// least one of negatives with a summed probability of one is kept. All exchanges are kept, since
// they have the words of their positives. If none would be kept, of all or of the caption's own,
// the least recognisable is.
func (c *Chooser) Choose(imageKey, key string, pool *schemas.Pool, keep []bool) {
	beside := ""
	c.scorer.Perturbs(beside)
	sum, kept, least := c.draw(imageKey, key), false, 0
	own, ownKept := -1, false
	for i := range pool.Negatives {
		n := &pool.Negatives[i]
		if text := pool.Beside(n); text != beside {
			beside = text
			c.scorer.Perturbs(beside)
		}
		n.Score = c.scorer.Score(n.Method, n.Text)
		if n.Score < pool.Negatives[least].Score {
			least = i
		}
		if n.Of == 0 && (own < 0 || n.Score < pool.Negatives[own].Score) {
			own = i
		}
		if isExchange(n.Method) {
			kept, ownKept = true, ownKept || n.Of == 0
			continue
		}
		sum += keepProbability(c.bias, n.Score)
		if sum < 1 {
			keep[i] = false
			continue
		}
		sum--
		kept, ownKept = true, ownKept || n.Of == 0
	}
	if own >= 0 && !ownKept {
		keep[own], kept = true, true
	}
	if !kept && len(pool.Negatives) > 0 {
		keep[least] = true
	}
}

// isExchange reports whether a method exchanges words of a text.
func isExchange(method string) bool {
	m := slices.Index(methods.Names[:], method)
	return m >= 0 && methods.Method(m).Exchanges()
}

// Keeps draws whether the negative of a pair is kept, with the probability that it has
// in Choose, before one is kept anyway.
func (c *Chooser) Keeps(p Pair) bool {
	c.scorer.Perturbs(p.Positive)
	return isExchange(p.Method) || c.draw(p.Image, p.Negative) < keepProbability(c.bias, c.scorer.Score(p.Method, p.Negative))
}

// draw returns a number in [0, 1), uniform over captions or texts of an image.
func (c *Chooser) draw(imageKey, text string) float64 {
	h := xxhash.NewWithSeed(c.seed)
	h.WriteString("balance\x00")
	h.WriteString(imageKey)
	h.Write([]byte{0})
	h.WriteString(text)
	return float64(h.Sum64()>>11) / (1 << 53)
}
