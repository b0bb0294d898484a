package balance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Options are the settings under balance: in pipeline.yaml.
type Options struct {
	Enabled    bool    `yaml:"enabled" doc:"drop candidates so that a negative is not told by its words alone"`
	Candidates int     `yaml:"candidates" doc:"replacements made at least for each word, of which some are dropped"`
	Sample     int     `yaml:"sample" doc:"captions whose candidates the scores are learned from"`
	Bias       float64 `yaml:"bias" doc:"log-odds of keeping a candidate that nothing tells; lower drops more and balances better"`
	Ridge      float64 `yaml:"ridge" doc:"how strongly the weights of n-grams are held towards 0; lower fits rare n-grams"`
	Epochs     int     `yaml:"epochs" doc:"times that training goes over the sample"`
}

// Defaults returns settings that fit into the memory of a small machine: a sample of 30,000
// captions of COCO has some 490,000 candidates, and training on it takes some 300 MB.
func Defaults() Options {
	return Options{Enabled: true, Candidates: 3, Sample: 30_000, Bias: 5.5, Ridge: 4, Epochs: 8}
}

// Validate returns an error that names an impossible setting by its key under balance:.
func (o *Options) Validate() error {
	switch {
	case o.Candidates < 1 || o.Candidates > 32:
		return fmt.Errorf("candidates: %d is not in 1 to 32", o.Candidates)
	case o.Sample < 1:
		return fmt.Errorf("sample: %d is below 1", o.Sample)
	case !(math.Abs(o.Bias) <= 20):
		return fmt.Errorf("bias: %v is not in -20 to 20", o.Bias)
	case !(o.Ridge > 0 && o.Ridge <= 1e9):
		return fmt.Errorf("ridge: %v is not above 0 and up to 1e9", o.Ridge)
	case o.Epochs < 1 || o.Epochs > 1000:
		return fmt.Errorf("epochs: %d is not in 1 to 1000", o.Epochs)
	}
	return nil
}

// Trainer trains a model on candidates. It stores their features, some 100 bytes for each, and not
// their texts. It is not safe for concurrent use.
type Trainer struct {
	opts   Options
	scorer *Scorer
	// blocks have the features, those of a candidate in one block, so that features need not be
	// moved as more are added.
	blocks   [][]uint32
	examples []example
	// frequency is, for each bucket, the number of candidates with a feature in it.
	frequency []float32
}

// blockSize is the number of features that a block can hold.
const blockSize = 1 << 20

// example is a candidate: in its block, features[begin:out] are added and features[out:end]
// removed.
type example struct {
	hash                   uint64
	block, begin, out, end uint32
}

// featuresOf returns the features that an example adds to its positive, and those that it removes.
func (t *Trainer) featuresOf(e example) (in, out []uint32) {
	features := t.blocks[e.block]
	return features[e.begin:e.out], features[e.out:e.end]
}

// NewTrainer makes a trainer without candidates.
func NewTrainer(opts Options) (*Trainer, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return &Trainer{opts: opts, scorer: (&Model{}).Scorer(), frequency: make([]float32, buckets)}, nil
}

// Add adds a candidate.
func (t *Trainer) Add(p Pair) {
	t.scorer.SetPositive(p.Positive)
	in, out := t.scorer.difference(p.Method, p.Negative)
	last := len(t.blocks) - 1
	if need := len(in) + len(out); last < 0 || cap(t.blocks[last])-len(t.blocks[last]) < need {
		t.blocks = append(t.blocks, make([]uint32, 0, max(need, blockSize)))
		last++
	}
	features := &t.blocks[last]
	e := example{hash: p.hash(), block: uint32(last), begin: uint32(len(*features))}
	t.appendBuckets(features, in)
	e.out = uint32(len(*features))
	t.appendBuckets(features, out)
	e.end = uint32(len(*features))
	t.examples = append(t.examples, e)
}

func (t *Trainer) appendBuckets(to *[]uint32, features []uint64) {
	for _, f := range features {
		bucket := uint32(f % buckets)
		t.frequency[bucket]++
		*to = append(*to, bucket)
	}
}

// Len returns the number of candidates that were added.
func (t *Trainer) Len() int { return len(t.examples) }

// Train trains a model on the candidates, by AdaGrad in the order of their hashes, so that their
// order does not matter. Without candidates it returns an error. seen is called after each epoch
// with the number of candidates processed in it.
func (t *Trainer) Train(seen func(candidates int)) (*Model, error) {
	if len(t.examples) == 0 {
		return nil, errors.New("no candidates to learn from")
	}
	slices.SortFunc(t.examples, func(a, b example) int { return cmp.Compare(a.hash, b.hash) })
	m := &Model{weights: make([]float32, buckets)}
	squares := make([]float32, buckets)
	bias, ridge := float32(t.opts.Bias), float32(t.opts.Ridge)
	for epoch := range t.opts.Epochs {
		rate := float32(0.3 / math.Sqrt(1+float64(epoch)))
		for _, e := range t.examples {
			in, out := t.featuresOf(e)
			p := float32(keepProbability(bias, m.sum(in)-m.sum(out)))
			step := func(f uint32, slope float32) {
				// The ridge penalty of a weight is divided among its examples.
				g := slope + ridge*m.weights[f]/t.frequency[f]
				squares[f] += float32(g * g)
				m.weights[f] -= rate * g / float32(math.Sqrt(float64(squares[f]))+1e-6)
			}
			for _, f := range in {
				step(f, -p)
			}
			for _, f := range out {
				step(f, p)
			}
		}
		seen(len(t.examples))
	}
	return m, nil
}

func (m *Model) sum(features []uint32) float32 {
	var s float32
	for _, f := range features {
		s += m.weights[f]
	}
	return s
}
