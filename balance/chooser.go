package balance

import (
	"github.com/cespare/xxhash/v2"

	"capgraph/schemas"
)

// Chooser keeps candidates by their score. It is not safe for concurrent use:
// make one for each worker; they share the model.
type Chooser struct {
	scorer *Scorer
	bias   float32
	seed   uint64
}

// NewChooser makes a chooser; seed is that of the run.
func NewChooser(m *Model, opts Options, seed uint64) *Chooser {
	return &Chooser{scorer: m.Scorer(), bias: float32(opts.Bias), seed: seed}
}

// Choose sets the score of every negative of a pool, and keep[i] to false for
// those that it turns away: which ones depends on the seed, the image key and
// the texts alone.
func (c *Chooser) Choose(imageKey, key string, pool *schemas.Pool, keep []bool) {
	of := int16(-1)
	for i := range pool.Negatives {
		n := &pool.Negatives[i]
		if n.Of != of {
			of = n.Of
			c.scorer.Perturbs(pool.Positives[of].Text)
		}
		n.Score = c.scorer.Score(n.Method, n.Text)
		if c.draw(imageKey, n.Text) >= keepProbability(c.bias, n.Score) {
			keep[i] = false
		}
	}
}

// Keeps tells whether Choose keeps the negative of a pair.
func (c *Chooser) Keeps(p Pair) bool {
	c.scorer.Perturbs(p.Positive)
	return c.draw(p.Image, p.Negative) < keepProbability(c.bias, c.scorer.Score(p.Method, p.Negative))
}

// draw returns a number in [0, 1), uniform over texts.
func (c *Chooser) draw(imageKey, text string) float64 {
	h := xxhash.NewWithSeed(c.seed)
	h.WriteString("balance\x00")
	h.WriteString(imageKey)
	h.Write([]byte{0})
	h.WriteString(text)
	return float64(h.Sum64()>>11) / (1 << 53)
}
