// Package convnet labels the tokens of a text by a small convolutional network in integer
// arithmetic, so that every processor gives the same scores.
//
// A token is the sum of the rows of what is known of it, from tables of int8. Three layers
// add to each token what they make of it and its neighbours (He et al. 2016, residual
// networks), the second also what it makes of the largest values in the text; a last one
// scores its labels. Weights are int8 and values 7 bits, by steps that are powers of two, as
// they were while it was trained (Jacob et al. 2018).
package convnet

import (
	"encoding/binary"
	"fmt"
)

const (
	// LabelCount is how many labels are scored.
	LabelCount = 5
	// ScoreUnit is how many units of a score are 1, in natural logarithm.
	ScoreUnit = 1 << (weightBits + valueBits)

	channels     = 64
	codesPerWord = 8 // bytes that stand for a word's vector: residual vector quantisation, a table each

	valueBits  = 4 // values are in steps of 1/16, from 0 to 127 of them
	inputBits  = 5 // rows of the input in steps of 1/32
	weightBits = 7 // weights in steps of 1/128
	maxValue   = 127
)

// layerWidths are how many tokens each layer sees.
var layerWidths = [...]int{5, 3, 3}

// pooledLayer is the layer that the largest values in the text are added to.
const pooledLayer = 1

// Input is what is known of a token.
type Input struct {
	Entry                int32  // of the words that have vectors, -1 for none
	Word, Prefix, Suffix uint32 // hashes; their highest bits choose the rows
	Traits               [len(traitSizes)]uint8
	Flags                uint16 // below 1<<12
}

// Rows of the tables, and how many values each trait has: its tag, shape, class, place in a known name, places in its
// run, part and text.
const (
	wordBits  = 13
	affixBits = 11
	flagCount = 12
)

var traitSizes = [...]int{64, 16, 64, 4, 8, 8, 8, 8, 4}

// Network is the weights of a network. It is safe for concurrent use.
type Network struct {
	entries                   string // codes bytes each
	codebooks                 string // codes tables of 256 rows
	words, prefixes, suffixes string
	traits                    [len(traitSizes)]string
	flags                     string
	unknown                   string
	layers                    [len(layerWidths)]layer
	poolRows                  []packedRow // by channel of what is largest
	outRows                   string      // channels rows of Labels
	bias                      [LabelCount]int32
}

// layer is a convolution: for each neighbour and each of its channels what it adds to the
// channels.
type layer struct {
	rows []packedRow
	bias channelSums
}

// Read reads a network for this many words. s holds, one after the other, the codes of each
// word; the rows of the input, of int8, 64 each: 8 tables of 256 for the codes, 8,192 for
// words, 2,048 for the first and 2,048 for the last three bytes, for the values of each trait, 12
// for the flags, 1 for a word without a vector; for each layer 64 rows of 64 int8 a neighbour and 64 biases
// of int32; 64 rows of 64 int8 for the largest values; 64 rows of 5 int8 and 5 biases for the labels. Numbers have their
// least byte first.
func Read(s string, words int) (*Network, error) {
	if words < 0 || words > len(s) || len(s) != modelSize(words) {
		return nil, fmt.Errorf("network: %d bytes, want %d for %d words", len(s), modelSize(words), words)
	}
	take := func(n int) string {
		part := s[:n]
		s = s[n:]
		return part
	}
	biases := func(out []int32) {
		for i := range out {
			out[i] = int32(binary.LittleEndian.Uint32([]byte(take(4))))
		}
	}
	n := &Network{
		entries: take(words * codesPerWord), codebooks: take(codesPerWord * 256 * channels),
		words: take(channels << wordBits), prefixes: take(channels << affixBits), suffixes: take(channels << affixBits),
	}
	for k, values := range traitSizes {
		n.traits[k] = take(values * channels)
	}
	n.flags, n.unknown = take(flagCount*channels), take(channels)
	for k, width := range layerWidths {
		n.layers[k].rows = packRows(take(width * channels * channels))
		biases(n.layers[k].bias[:channels])
	}
	n.poolRows = packRows(take(channels * channels))
	n.outRows = take(channels * LabelCount)
	biases(n.bias[:])
	return n, nil
}

// modelSize is how many bytes a network for this many words has.
func modelSize(words int) int {
	rows := codesPerWord*256 + 1<<wordBits + 2<<affixBits + flagCount + 1
	for _, values := range traitSizes {
		rows += values
	}
	n := words*codesPerWord + rows*channels
	for _, width := range layerWidths {
		n += width*channels*channels + 4*channels
	}
	return n + channels*channels + channels*LabelCount + 4*LabelCount
}

// Rows are in's entry, its rows for its hashes, its flags and its traits: what a network is
// trained on.
func (in *Input) Rows() []int32 {
	out := []int32{in.Entry, in.wordRow(), in.prefixRow(), in.suffixRow(), int32(in.Flags)}
	for _, t := range in.Traits {
		out = append(out, int32(t))
	}
	return out
}

func (in *Input) wordRow() int32   { return int32(in.Word >> (32 - wordBits)) }
func (in *Input) prefixRow() int32 { return int32(in.Prefix >> (32 - affixBits)) }
func (in *Input) suffixRow() int32 { return int32(in.Suffix >> (32 - affixBits)) }
