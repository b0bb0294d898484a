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
	Width      = 384 // numbers in the vector of a piece
	heads      = 12
	inner      = 1536
	headInner  = 192 // numbers in the hidden layer of a head
	LabelCount = 5

	columns    = 64 // outputs of a matrix that a kernel computes at once
	shapeCount = 16

	maxLayers     = 64
	maxVocabulary = 1 << 20
	maxPositions  = 1 << 12
)

const magic = "capgraph encoder 1\n"

// Network has the weights of a network. It is safe for concurrent use.
type Network struct {
	Vocabulary []string // word pieces, by identifier

	words      []int8 // rows of Width
	wordScales []float32
	exactWords []float32 // in place of both, in a file that is not rounded
	shapes     []float32 // rows of Width, as the next two
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

// layer is a layer of the transformer. Numbers of queries, keys, values and their sums are in the
// order of their index in the head, then of the head.
type layer struct {
	queries   matrix // queries, keys and values
	attention matrix
	norm      norm
	inner     matrix
	outer     matrix
	outerNorm norm
}

// matrix multiplies rows of inputs. Its weights are in blocks of columns outputs. A block has, for
// each four inputs, the four weights of each output.
type matrix struct {
	weights        []int8
	inputs         int
	scales, biases []float32
	start          []int32   // what the kernel's sums begin with
	exact          []float32 // in place of all but biases, in a file that is not rounded: a row for each output
}

// pairHead scores pairs of spans of tokens, beside other properties of the pair.
type pairHead struct {
	ends   matrix      // headInner outputs for each end of a span
	tables [][]float32 // rows of headInner, for each property
	middle matrix
	last   []float32
	bias   float32
}

// Read reads a network. It uses the bytes of s as long as the network is used. s holds, one after
// the other, with little-endian numbers:
//
//   - the magic line, and as uint32 the numbers of layers, pieces, positions, bytes of the
//     vocabulary, and 0, or 1 for a file that is not rounded;
//   - the vocabulary, each piece with a newline after it;
//   - a row of int8 for each piece, then a scale for each;
//   - rows of float32: 16 of shapes, 2 of sources, one for each position; gamma and beta;
//   - for each layer the matrix of queries, keys and values, that of attention, gamma and beta, the
//     two matrices of the feed-forward part, gamma and beta;
//   - of the labels 5 rows of float32 and 5 biases;
//   - the heads of owners and of relations: a matrix of the ends, tables, a matrix, its last row and
//     a bias.
//
// A matrix has int8 weights, then a scale and a bias for each output. In a file that is not rounded it has a row of
// float32 for each output, then the biases, and pieces have rows of float32.
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

// Positions returns how many pieces a text may have, with the two marks.
func (n *Network) Positions() int { return len(n.positions) / Width }

// reader takes parts from the front of s. If s is too short, its results are empty.
type reader struct {
	s     string
	short bool
	exact bool // matrices are not rounded
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

// bytes returns n int8 in place. They must not be written to.
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
