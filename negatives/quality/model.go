package quality

import (
	"encoding/binary"
	"fmt"
	"math"

	_ "embed"

	"capgraph/internal/linear"
	"capgraph/internal/portable"
)

//go:embed quality.bin
var embedded string

// Model predicts the probability that a text is good. It is safe for concurrent use.
type Model struct {
	weights linear.Weights
	bias    float32
}

// Embedded returns the embedded model.
func Embedded() (*Model, error) { return Read(embedded) }

// Read reads a model: the bias as a little-endian float32, and a table of weights in the form of [linear.ReadWeights].
func Read(s string) (*Model, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("quality: cut off after %d bytes", len(s))
	}
	w, err := linear.ReadWeights(s[4:], 1)
	if err != nil {
		return nil, fmt.Errorf("quality: %w", err)
	}
	return &Model{w, math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[:4])))}, nil
}

// besideEncoder is the factor for the log-odds of the hashed features if an encoder read the caption.
const besideEncoder = 0.7

// ofLong is added to the log-odds of texts of long captions. The model was trained on captions of one sentence, and
// more texts of long captions are good than it predicts (docs/measurements/readings.md).
const ofLong = 0.45

// LogOdds returns the log-odds that the text whose features f has collected is good.
func (m *Model) LogOdds(f *Features) float64 {
	odds := float64(m.weights.Sum(f.list) + m.bias)
	if f.read != 0 {
		odds = float64(besideEncoder*odds) + f.read
	}
	if f.long {
		odds += ofLong
	}
	return odds
}

// Probability returns the probability that the text whose features f has collected is good.
func (m *Model) Probability(f *Features) float64 {
	return 1 / (1 + portable.Exp(-m.LogOdds(f)))
}
