// Package convnet labels the tokens of a text by a small convolutional network in integer
// arithmetic, so that every processor gives the same scores.
//
// The input of a token is the sum of rows of int8 for its properties. Three layers add to each
// token a function of it and its neighbours (He et al. 2016, residual networks). The second also
// adds one of the largest values in the text. The last layer scores labels. Weights are int8 and
// values have 7 bits, in steps that are powers of two, as during training (Jacob et al. 2018).
package convnet

import (
	"encoding/binary"
	"fmt"
)

const (
	// LabelCount is the number of labels.
	LabelCount = 5
	// ScoreUnit is the value of a score that is 1 in natural logarithm.
	ScoreUnit = 1 << (weightBits + valueBits)

	channels     = 64
	codesPerWord = 8 // bytes for a word's vector: residual vector quantisation, with a table each

	valueBits  = 4 // values are in steps of 1/16, from 0 to 127 of them
	inputBits  = 5 // rows of the input in steps of 1/32
	weightBits = 7 // weights in steps of 1/128
	maxValue   = 127
)

// layerWidths are the numbers of tokens that each layer sees.
var layerWidths = [...]int{5, 3, 3}

// pooledLayer is the layer that also gets the largest values in the text.
const pooledLayer = 1

// Input is what is known of a token.
type Input struct {
	Entry                int32  // index of the word's vector, or -1
	Word, Prefix, Suffix uint32 // hashes; their highest bits choose the rows
	Traits               [len(traitSizes)]uint8
	Flags                uint16 // below 1<<12
}

// Rows of the tables, and the number of values of each trait. The traits are tag, shape, class,
// place in a known name, and the places in run, part and text.
const (
	wordBits  = 13
	affixBits = 11
	flagCount = 12
)

var traitSizes = [...]int{64, 16, 64, 4, 8, 8, 8, 8, 4}

// Network has the weights of a network. It is safe for concurrent use.
type Network struct {
	entries                   string // codesPerWord bytes each
	codebooks                 string // codesPerWord tables of 256 rows
	words, prefixes, suffixes string
	traits                    [len(traitSizes)]string
	flags                     string
	unknown                   string
	layers                    [len(layerWidths)]layer
	pool                      weightRows // by channel of the largest values
	out                       weightRows // the first LabelCount columns are those of the labels
	outBias                   channelSums
}

// layer is a convolution: for each neighbour and each of its channels a row to add to the channels.
type layer struct {
	weightRows
	bias channelSums
}

// weightRows are rows of weights, in the order of the kernel that multiplies them.
type weightRows struct {
	dense  []int8      // for addDense
	packed []packedRow // without it
}

func newWeightRows(s string) weightRows {
	if hasDense {
		return weightRows{dense: packDense(s)}
	}
	return weightRows{packed: packRows(s)}
}

// Read reads a network for this many words. s holds, one after the other:
//
//   - the codes of each word;
//   - the input's rows of 64 int8: 8 tables of 256 for the codes, 8,192 for words, 2,048 for the
//     first and 2,048 for the last three bytes, the values of each trait, 12 for the flags, 1 for
//     words without a vector;
//   - for each layer 64 rows of 64 int8 a neighbour and 64 biases of int32;
//   - 64 rows of 64 int8 for the largest values;
//   - 64 rows of 5 int8 and 5 biases of int32 for the labels.
//
// Numbers are little-endian.
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
		n.layers[k].weightRows = newWeightRows(take(width * channels * channels))
		biases(n.layers[k].bias[:channels])
	}
	n.pool = newWeightRows(take(channels * channels))
	var out []byte
	for range channels {
		out = append(append(out, take(LabelCount)...), make([]byte, channels-LabelCount)...)
	}
	n.out = newWeightRows(string(out))
	biases(n.outBias[:LabelCount])
	return n, nil
}

// modelSize returns the bytes of a network for this many words.
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

// Rows returns in's entry, the rows of its hashes, its flags and its traits. A network is trained
// on these.
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
