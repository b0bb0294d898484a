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

// Model predicts how likely a text is good. It is safe for concurrent use.
type Model struct {
	weights linear.Weights
	bias    float32
}

// Embedded returns the embedded model.
func Embedded() (*Model, error) { return Read(embedded) }

// Read reads a model: the bias, a little-endian float32, and a table of weights as
// [linear.ReadWeights] reads it.
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

// besideEncoder is the weight of the hashed features if an encoder read the caption.
const besideEncoder = 0.7

// ofLong is added to the log-odds of texts of long captions: the verdicts are on captions of one sentence, and more
// texts of long ones are good than these say (docs/measurements/readings.md).
const ofLong = 0.45

// LogOdds returns the logarithm of the odds that a text with the features that f has collected is good.
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

// Probability returns how likely a text with the features that f has collected is good, from 0 to 1.
func (m *Model) Probability(f *Features) float64 {
	return 1 / (1 + portable.Exp(-m.LogOdds(f)))
}
