package balance

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// Chooser selects candidates by their score. It is not safe for concurrent use: make one for each
// worker. All may share the model.
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
// rejects. The choice depends only on the seed, the image key, the key and the texts. Each is kept
// with its probability; they are drawn together, by systematic sampling (Madow 1949), so at least
// one of any negatives whose probabilities sum to one is kept. All exchanges are kept, since they
// have the same words as their positives. If none would be kept, of all or of those of the caption
// itself, the least recognisable one is.
func (c *Chooser) Choose(imageKey, key string, pool *schemas.Pool, keep []bool) {
	beside := ""
	c.scorer.SetPositive(beside)
	sum, kept, least := c.draw(imageKey, key), false, 0
	own, ownKept := -1, false
	for i := range pool.Negatives {
		n := &pool.Negatives[i]
		if text := pool.Beside(n); text != beside {
			beside = text
			c.scorer.SetPositive(beside)
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

// isExchange reports whether a method exchanges words within a text.
func isExchange(method string) bool {
	m := slices.Index(methods.Names[:], method)
	return m >= 0 && methods.Method(m).Exchanges()
}

// Keeps reports whether the negative of a pair is kept, drawn with its probability in Choose. It
// does not keep a last one as Choose does.
func (c *Chooser) Keeps(p Pair) bool {
	c.scorer.SetPositive(p.Positive)
	return isExchange(p.Method) || c.draw(p.Image, p.Negative) < keepProbability(c.bias, c.scorer.Score(p.Method, p.Negative))
}

// draw returns a number in [0, 1) that is a function of the seed, the image and the text.
func (c *Chooser) draw(imageKey, text string) float64 {
	h := xxhash.NewWithSeed(c.seed)
	h.WriteString("balance\x00")
	h.WriteString(imageKey)
	h.Write([]byte{0})
	h.WriteString(text)
	return float64(h.Sum64()>>11) / (1 << 53)
}
