// Package encoder runs a small pretrained transformer (BERT: Devlin et al. 2019) and the heads that
// were trained on it: labels of tokens, owners of attributes, relations.
//
// Matrices are int8 with a scale for each output. The values that they multiply are rounded to int8
// with a scale for each row, so that sums of products are exact in int32. All else is float32 in a
// fixed order, each operation rounded. So each kernel gives the bits of plain Go on every processor.
// A file may have the matrices in float32 instead, to measure what rounding costs.
package encoder

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Sizes of the network. bge-small and MiniLM have these.
const (
	Width      = 384 // elements of the vector of a piece
	heads      = 12
	inner      = 1536
	headInner  = 192 // elements of the hidden layer of a head
	LabelCount = 5

	columns    = 64 // outputs that a kernel computes at once
	shapeCount = 16

	maxLayers     = 64
	maxVocabulary = 1 << 20
	maxPositions  = 1 << 12
)

const magic = "capgraph encoder 1\n"

// Network has the weights of an encoder and its heads. It is safe for concurrent use.
type Network struct {
	Vocabulary []string // word pieces, in the order of their identifiers

	words      []int8 // rows of Width
	wordScales []float32
	exactWords []float32 // in place of words and wordScales, in a file that is not rounded
	shapes     []float32 // rows of Width, like the next two
	written    []float32
	positions  []float32
	norm       norm
	layers     []layer

	labels    []float32 // LabelCount rows of Width
	labelBias []float32
	owners    pairHead
	relations pairHead
}

// norm has the weights of a layer normalisation.
type norm struct{ gamma, beta []float32 }

// layer is a layer of the transformer. The heads of queries, keys, values and outputs are interleaved: first element 0
// of each head, then element 1 of each, and so on.
type layer struct {
	queries   matrix // queries, keys and values
	attention matrix
	norm      norm
	inner     matrix
	outer     matrix
	outerNorm norm
}

// matrix multiplies rows of inputs. Its weights are in blocks of columns outputs. A block has, for each four inputs,
// these four weights of each output.
type matrix struct {
	weights        []int8
	inputs         int
	scales, biases []float32
	start          []int32   // initial values of the kernel's sums
	exact          []float32 // in a file that is not rounded, in place of all fields but biases: a row for each output
}

// pairHead scores pairs of token spans, with further properties of the pair from tables.
type pairHead struct {
	ends   matrix      // headInner outputs for each end of a span
	tables [][]float32 // a table for each property, with rows of headInner
	middle matrix
	last   []float32
	bias   float32
}

// Read reads a network from s, whose bytes it uses as long as the network is used. s consists of, with little-endian
// numbers:
//
//   - the magic line, and as uint32 the numbers of layers, of pieces, of positions and of bytes of the vocabulary, and
//     1 if the file is in float32, else 0;
//   - the vocabulary, with a newline after each piece;
//   - for each piece a row of int8, then for each piece a scale;
//   - rows of float32: 16 of shapes, 2 of sources, one for each position; then gamma and beta;
//   - for each layer: the matrix of queries, keys and values; the matrix of attention; gamma and beta; the two matrices
//     of the feed-forward part; gamma and beta;
//   - for the labels 5 rows of float32 and 5 biases;
//   - for the heads of owners and of relations: the matrix of the ends, tables, a matrix, its last row and a bias.
//
// A matrix has int8 weights, then a scale and a bias for each output. In a file in float32, a matrix has a row of
// float32 for each output and then the biases, and pieces have rows of float32.
func Read(s string) (*Network, error) {
	r := &reader{s: s}
	if !strings.HasPrefix(s, magic) {
		return nil, fmt.Errorf("encoder: not a file of teach.py export")
	}
	r.take(len(magic))
	layers, pieces, positions, size := r.number(), r.number(), r.number(), r.number()
	precision := r.number()
	r.exact = precision == 1
	if precision > 1 || layers > maxLayers || pieces > maxVocabulary || positions > maxPositions || positions < 3 || size > len(s) {
		return nil, fmt.Errorf("encoder: %d layers, %d pieces in %d bytes, %d positions: beyond the limits, or cut off", layers, pieces, size, positions)
	}
	n := &Network{Vocabulary: strings.SplitAfter(r.take(size), "\n")}
	n.Vocabulary = n.Vocabulary[:len(n.Vocabulary)-1]
	if len(n.Vocabulary) != pieces {
		return nil, fmt.Errorf("encoder: %d pieces in the vocabulary, want %d", len(n.Vocabulary), pieces)
	}
	for i, p := range n.Vocabulary {
		n.Vocabulary[i] = p[:len(p)-1]
	}
	if r.exact {
		n.exactWords = r.floats(pieces * Width)
	} else {
		n.words, n.wordScales = r.bytes(pieces*Width), r.floats(pieces)
	}
	n.shapes, n.written, n.positions = r.floats(shapeCount*Width), r.floats(2*Width), r.floats(positions*Width)
	n.norm = r.norm()
	for range layers {
		n.layers = append(n.layers, layer{r.matrix(3*Width, Width), r.matrix(Width, Width), r.norm(), r.matrix(inner, Width), r.matrix(Width, inner), r.norm()})
	}
	n.labels, n.labelBias = r.floats(LabelCount*Width), r.floats(LabelCount)
	n.owners = r.pairHead(4, 64)
	n.relations = r.pairHead(6, 128, 32, 64, 8)
	if r.short || len(r.s) > 0 {
		return nil, fmt.Errorf("encoder: %d bytes, which is not the size for %d layers, %d pieces and %d positions", len(s), layers, pieces, positions)
	}
	return n, nil
}

// Positions returns the most pieces that a text may have, with the two marks.
func (n *Network) Positions() int { return len(n.positions) / Width }

// reader takes numbers and bytes from the front of s. If s is too short, it sets short and returns empty results.
type reader struct {
	s     string
	short bool
	exact bool // whether matrices are float32, not rounded
}

func (r *reader) take(n int) string {
	if r.short || n > len(r.s) {
		r.short = true
		return ""
	}
	part := r.s[:n]
	r.s = r.s[n:]
	return part
}

func (r *reader) number() int {
	s := r.take(4)
	if r.short {
		return 0
	}
	return int(binary.LittleEndian.Uint32([]byte(s)))
}

// bytes returns the next n bytes of s as int8, without a copy. They must not be modified.
func (r *reader) bytes(n int) []int8 {
	s := r.take(n)
	if s == "" {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(s))), n)
}

func (r *reader) floats(n int) []float32 {
	s := r.take(4 * n)
	if s == "" {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4*i : 4*i+4])))
	}
	return out
}

func (r *reader) norm() norm { return norm{r.floats(Width), r.floats(Width)} }

func (r *reader) matrix(outputs, inputs int) matrix {
	if r.exact {
		return matrix{exact: r.floats(outputs * inputs), inputs: inputs, biases: r.floats(outputs)}
	}
	m := matrix{weights: r.bytes(outputs * inputs), inputs: inputs, scales: r.floats(outputs), biases: r.floats(outputs)}
	if !r.short {
		m.start = kernel.startSums(&m)
	}
	return m
}

func (r *reader) pairHead(ends int, tables ...int) pairHead {
	h := pairHead{ends: r.matrix(ends*headInner, Width)}
	for _, rows := range tables {
		h.tables = append(h.tables, r.floats(rows*headInner))
	}
	h.middle, h.last = r.matrix(headInner, headInner), r.floats(headInner)
	if bias := r.floats(1); bias != nil {
		h.bias = bias[0]
	}
	return h
}
