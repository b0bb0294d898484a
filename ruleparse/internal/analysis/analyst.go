// Package analysis finds in the tokens of a text which are objects and attributes, which
// attribute is of which object, and how objects are related, by linear models and a network.
package analysis

import (
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
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

// labelNetwork is a network that scores labels beside the linear model.
type labelNetwork struct {
	weights *convnet.Network
	share   float32 // what its scores count; those of the linear model count the rest
}

// readLabelNetwork reads the share, a float32, and the network for this many words.
func readLabelNetwork(s string, words int) (*labelNetwork, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("network: cut off after %d bytes", len(s))
	}
	n := &labelNetwork{share: math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[:4])))}
	if !(n.share >= 0 && n.share <= 1) {
		return nil, fmt.Errorf("network: it counts %g, want a share from 0 to 1", n.share)
	}
	var err error
	n.weights, err = convnet.Read(s[4:], words)
	return n, err
}

// NetworkInput is what the network knows of t.
func NetworkInput(t *tokens.Token) convnet.Input {
	w, p := t.Low, &t.Place
	return convnet.Input{
		Entry: t.Entry, Word: t.Hash, Prefix: linear.Hash(w[:min(len(w), 3)]), Suffix: linear.Hash(w[max(0, len(w)-3):]),
		Traits: [...]uint8{uint8(t.Tag), uint8(t.Shape()), t.Class, t.NamePart, p.Behind, p.Ahead, p.Part, p.Rest, p.Title},
		Flags:  uint16(t.Flags),
	}
}

// scoreLabels fills d.network with the network's scores of the labels of ts.
func (n *labelNetwork) scoreLabels(d *Decoder, ts []tokens.Token) {
	d.inputs = d.inputs[:0]
	for i := range ts {
		d.inputs = append(d.inputs, NetworkInput(&ts[i]))
	}
	n.weights.Score(&d.network, d.inputs)
}
