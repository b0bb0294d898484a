// Package analysis finds the objects and attributes among the tokens of a text, the object of each
// attribute, and the relations between objects.
//
// An Analyst labels tokens and scores candidate relations with linear models and an encoder. Analyse returns the best of a few analyses; package rules corrects it.
package analysis

import (
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/encoder"
)

// Analyst analyses the tokens of a text. It is safe for concurrent use.
type Analyst struct {
	labels                linear.Weights // label each token as a part of an object or attribute
	pairs                 linear.Weights // score attributes with objects, and candidate relations
	whole                 linear.Weights // score whole analyses; if empty, the likeliest labelling is chosen
	labelTrust, pairTrust float32        // weights of the log probabilities, to which whole is added

	Encoder   *Encoder // scores labels, owners and relations; may be nil
	EncodeAll bool     // whether the encoder reads all texts, not only those of which the linear model is unsure
	// Card is the GPU on which the encoder reads batches of texts; nil for the CPU.
	Card *encoder.Card
}

// ReadAnalyst reads tables of weights in the trainer's format. whole may be empty.
func ReadAnalyst(labels, pairs, whole string) (p Analyst, err error) {
	if p.labels, err = linear.ReadWeights(labels, LabelCount); err != nil {
		return p, fmt.Errorf("labels: %w", err)
	}
	if p.pairs, err = linear.ReadWeights(pairs, 1); err != nil {
		return p, fmt.Errorf("pairs: %w", err)
	}
	if whole == "" {
		return p, nil
	}
	if len(whole) < 8 {
		return p, fmt.Errorf("whole: cut off")
	}
	p.labelTrust = math.Float32frombits(binary.LittleEndian.Uint32([]byte(whole[:4])))
	p.pairTrust = math.Float32frombits(binary.LittleEndian.Uint32([]byte(whole[4:8])))
	if p.whole, err = linear.ReadWeights(whole[8:], 1); err != nil {
		return p, fmt.Errorf("whole: %w", err)
	}
	return p, nil
}
