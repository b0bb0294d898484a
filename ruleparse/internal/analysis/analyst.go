// Package analysis finds in the tokens of a text which are objects and attributes, which
// attribute is of which object, and how objects are related, by linear models and a network.
package analysis

import (
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/ruleparse/internal/linear"
)

// Analyst analyses the tokens of a text. It is safe for concurrent use.
type Analyst struct {
	labels                linear.Weights // of tokens as parts of objects and attributes
	network               *labelNetwork  // of the same; nil: the linear model is alone
	pairs                 linear.Weights // of attributes and objects, of candidates for relations
	whole                 linear.Weights // of a whole analysis; empty: the likeliest is chosen
	labelTrust, pairTrust float32        // what the logarithms of probabilities count beside it
}

// ReadAnalyst reads tables of weights in the form that the trainer writes them in; whole
// may be empty.
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

// AddNetwork makes the network that s holds score labels too: what it counts, as a float32
// from 0 to 1, and the network itself as [convnet.Read] has it, for a lexicon of this many words.
func (p *Analyst) AddNetwork(s string, words int) (err error) {
	p.network, err = readLabelNetwork(s, words)
	return err
}
