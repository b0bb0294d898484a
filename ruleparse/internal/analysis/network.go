package analysis

import (
	"encoding/binary"
	"fmt"
	"math"

	"capgraph/ruleparse/internal/convnet"
	"capgraph/ruleparse/internal/linear"
	"capgraph/ruleparse/internal/tokens"
)

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
		Traits: [...]uint8{uint8(t.Tag), uint8(t.Shape()), t.Class, t.Known, p.Behind, p.Ahead, p.Part, p.Rest, p.Title},
		Flags:  uint16(t.Flags),
	}
}

// scores fills d.network with the network's scores of the labels of ts.
func (n *labelNetwork) scores(d *Decoder, ts []tokens.Token) {
	d.inputs = d.inputs[:0]
	for i := range ts {
		d.inputs = append(d.inputs, NetworkInput(&ts[i]))
	}
	n.weights.Score(&d.network, d.inputs)
}
