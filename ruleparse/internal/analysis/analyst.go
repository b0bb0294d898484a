// Package analysis finds the objects and attributes among the tokens of a text, the object of each
// attribute, and the relations between objects.
//
// An Analyst labels tokens with a linear model and a network, and scores candidate relations with
// another linear model. Analyse returns the best of a few analyses; package rules corrects it.
package analysis

import (
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/tokens"
)

// Analyst analyses the tokens of a text. It is safe for concurrent use.
type Analyst struct {
	labels                linear.Weights // labels of tokens as parts of objects and attributes
	network               *labelNetwork  // the same; nil if the linear model is alone
	pairs                 linear.Weights // attributes with objects, and candidates for relations
	whole                 linear.Weights // whole analyses; empty: the likeliest is chosen
	labelTrust, pairTrust float32        // weights of the log probabilities beside it

	Encoder   *Encoder // scores labels and owners in place of the network; may be nil
	EncodeAll bool     // it reads all texts, not only those of which the linear model is unsure
}

// ReadAnalyst reads tables of weights in the form of the trainer. whole may be empty.
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

// AddNetwork adds the network in s, which scores labels for a lexicon of this many words. s begins
// with the weight of its scores, a float32 from 0 to 1; [convnet.Read] describes the rest.
func (p *Analyst) AddNetwork(s string, words int) (err error) {
	p.network, err = readLabelNetwork(s, words)
	return err
}

// labelNetwork is a network that scores labels beside the linear model.
type labelNetwork struct {
	weights *convnet.Network
	share   float32 // weight of its scores; the linear model has the rest
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

// NetworkInput returns what the network knows of t.
func NetworkInput(t *tokens.Token) convnet.Input {
	w, p := t.Low, &t.Place
	return convnet.Input{
		Entry: t.Entry, Word: t.Hash, Prefix: linear.Hash(w[:min(len(w), 3)]), Suffix: linear.Hash(w[max(0, len(w)-3):]),
		Traits: [...]uint8{uint8(t.Tag), uint8(t.Shape()), t.Class, t.NamePart, p.Behind, p.Ahead, p.Part, p.Rest, p.Title},
		Flags:  uint16(t.Flags),
	}
}

// scoreLabels sets d.networkScores to the network's scores of the labels of ts, times its share.
func (n *labelNetwork) scoreLabels(d *Decoder, ts []tokens.Token) {
	d.inputs = d.inputs[:0]
	for i := range ts {
		d.inputs = append(d.inputs, NetworkInput(&ts[i]))
	}
	n.weights.Score(&d.network, d.inputs)
	d.networkScores = d.networkScores[:0]
	unit := float32(n.share / convnet.ScoreUnit)
	for _, sums := range d.network.Scores {
		var s [LabelCount]float32
		for l, x := range sums {
			s[l] = float32(float32(x) * unit)
		}
		d.networkScores = append(d.networkScores, s)
	}
}
