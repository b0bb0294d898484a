package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// EncoderWeights are the weights of the parser's encoder; package ruleparse/internal/encoder
// describes them.
type EncoderWeights struct {
	Words                      []int8    // a row for each word piece
	WordScales                 []float32 // of each row
	Shapes, Written, Positions []float32 // rows of embeddings; Written is a single row
	Norm                       EncoderNorm
	Layers                     []EncoderLayer
}

// EncoderLayer has the weights of a layer.
type EncoderLayer struct {
	Queries, Attention EncoderMatrix
	Norm               EncoderNorm
	Inner, Outer       EncoderMatrix
	OuterNorm          EncoderNorm
}

// EncoderNorm has the weights of a layer normalisation.
type EncoderNorm struct{ Gamma, Beta []float32 }

// EncoderMatrix has a row of weights, a scale and a bias for each output.
type EncoderMatrix struct {
	Weights        []int8
	Scales, Biases []float32
}

// EncoderBatch is a batch of texts one after the other, without padding. A row is a word piece.
type EncoderBatch struct {
	Pieces, Shapes, Places []int32 // of each row; Places count from the start of its text
	Begins, Ends           []int32 // of each row, the rows at which its text begins and ends
	Firsts, Lasts          []int32 // of each token, the rows of its first and its last piece
}

// Encoder computes the parser's encoder on a card. Matrix products are exact, in integers, and
// floats are added in a fixed order, so the vectors have the same bits as those of the Go encoder.
// It is for one goroutine at a time.
type Encoder struct {
	d         *Device
	words     uint64
	scales    uint64
	shapes    uint64
	written   uint64
	positions uint64
	norm      cardNorm
	layers    []cardLayer

	rows int // number of rows that rowMemory has room for
	rowMemory
}

type cardNorm struct{ gamma, beta uint64 }

type cardMatrix struct {
	weights, scales, biases uint64
	inputs, outputs         int
}

type cardLayer struct {
	queries, attention, inner, outer cardMatrix
	norm, outerNorm                  cardNorm
}

// rowMemory has the addresses of memory for the rows of a batch.
type rowMemory struct {
	hidden, mixed, wide uint64 // [rows, 384], the same, and [rows, 3·384]
	values              uint64 // rounded rows
	steps, innerSteps   uint64 // step sizes of the rounded rows of hidden, and of other rounded rows
	sums                uint64 // int32
	vectors             uint64 // [tokens, 384]
}

// Sizes of the encoder, as encoder.cu has them.
const (
	encoderWidth = 384
	encoderInner = 1536
)

// rowBucket is the granularity of rows in products: their number is rounded up to a multiple of it,
// because cuBLASLt chooses an algorithm for each different number.
const rowBucket = 64

// NewEncoder copies weights to the card.
func (d *Device) NewEncoder(w *EncoderWeights) (*Encoder, error) {
	e := &Encoder{d: d, words: d.copyIn(bytesOf(w.Words)), scales: d.copyIn(bytesOf(w.WordScales)),
		shapes: d.copyIn(bytesOf(w.Shapes)), written: d.copyIn(bytesOf(w.Written)), positions: d.copyIn(bytesOf(w.Positions)), norm: d.copyNorm(w.Norm)}
	for i := range w.Layers {
		l := &w.Layers[i]
		e.layers = append(e.layers, cardLayer{
			queries: d.copyMatrix(&l.Queries), attention: d.copyMatrix(&l.Attention), inner: d.copyMatrix(&l.Inner), outer: d.copyMatrix(&l.Outer),
			norm: d.copyNorm(l.Norm), outerNorm: d.copyNorm(l.OuterNorm),
		})
	}
	return e, d.err
}

func (d *Device) copyNorm(n EncoderNorm) cardNorm {
	return cardNorm{d.copyIn(bytesOf(n.Gamma)), d.copyIn(bytesOf(n.Beta))}
}

func (d *Device) copyMatrix(m *EncoderMatrix) cardMatrix {
	outputs := len(m.Scales)
	return cardMatrix{d.copyIn(bytesOf(m.Weights)), d.copyIn(bytesOf(m.Scales)), d.copyIn(bytesOf(m.Biases)), len(m.Weights) / outputs, outputs}
}

// copyIn copies bytes to memory of their own.
func (d *Device) copyIn(from []byte) uint64 {
	address := d.allocBytes(uint64(len(from)))
	for at := 0; at < len(from) && d.err == nil; at += transferBytes {
		part := from[at:min(at+transferBytes, len(from))]
		kernels.CopyPieces(d.transfer, part)
		d.fail(errors.Join(d.context.Upload(address+uint64(at), d.transfer[:len(part)], d.stream), d.context.Wait(d.stream)))
	}
	return address
}

// copyOut copies from the address on the card to the host.
func (d *Device) copyOut(to []byte, address uint64) {
	for at := 0; at < len(to) && d.err == nil; at += transferBytes {
		part := to[at:min(at+transferBytes, len(to))]
		d.fail(errors.Join(d.context.Download(d.transfer[:len(part)], address+uint64(at), d.stream), d.context.Wait(d.stream)))
		kernels.CopyPieces(part, d.transfer[:len(part)])
	}
}

// reserve allocates memory for at least this many rows, a multiple of rowBucket.
func (e *Encoder) reserve(rows int) {
	if e.rows >= rows {
		return
	}
	d := e.d
	d.fail(d.context.Wait(d.stream)) // until nothing uses the memory any more
	for _, address := range []uint64{e.hidden, e.mixed, e.wide, e.values, e.steps, e.innerSteps, e.sums, e.vectors} {
		if address != 0 {
			d.fail(d.freeBytes(address))
		}
	}
	n, row := uint64(rows), uint64(encoderWidth*elementBytes)
	e.rowMemory = rowMemory{
		hidden: d.allocBytes(n * row), mixed: d.allocBytes(n * row), wide: d.allocBytes(n * 3 * row), vectors: d.allocBytes(n * row),
		values: d.allocBytes(n * encoderInner), steps: d.allocBytes(n * elementBytes), innerSteps: d.allocBytes(n * elementBytes), sums: d.allocBytes(n * encoderInner * elementBytes),
	}
	e.rows = rows
}

// Encode writes the vectors of b's tokens, 384 numbers each. b has at most as many tokens as rows.
func (e *Encoder) Encode(b *EncoderBatch, vectors []float32) error {
	d, rows, tokens := e.d, len(b.Pieces), len(b.Firsts)
	if rows == 0 || tokens == 0 {
		return d.err
	}
	d.Reset()
	e.reserve((rows + rowBucket - 1) / rowBucket * rowBucket)
	ints := func(v []int32) uint64 { return d.Ints(v).Address }
	begins, ends := ints(b.Begins), ints(b.Ends)
	d.launch("encoder_embed", e.hidden, e.values, e.steps, ints(b.Pieces), ints(b.Shapes), ints(b.Places),
		e.words, e.scales, e.shapes, e.written, e.positions, e.norm.gamma, e.norm.beta, rows)
	for i := range e.layers {
		l := &e.layers[i]
		e.multiply(&l.queries, rows)
		d.launch("encoder_store", e.wide, e.sums, e.steps, l.queries.scales, l.queries.biases, rows, l.queries.outputs)
		d.launch("encoder_attend", e.mixed, e.wide, begins, ends, rows)
		d.launch("encoder_round", e.values, e.innerSteps, e.mixed, rows)
		e.multiply(&l.attention, rows)
		e.addNormalised(&l.attention, l.norm, rows)
		e.multiply(&l.inner, rows)
		d.launch("encoder_gelu", e.values, e.innerSteps, e.sums, e.steps, l.inner.scales, l.inner.biases, rows)
		e.multiply(&l.outer, rows)
		e.addNormalised(&l.outer, l.outerNorm, rows)
	}
	d.launch("encoder_tokens", e.vectors, e.hidden, ints(b.Firsts), ints(b.Lasts), tokens)
	d.copyOut(bytesOf(vectors[:tokens*encoderWidth]), e.vectors)
	return d.err
}

// multiply sets e.sums to the product of the rounded rows and a matrix.
func (e *Encoder) multiply(m *cardMatrix, rows int) {
	sums := cublaslt.Matrix{Address: e.sums, Stride: m.outputs}
	e.d.fail(e.d.multiply(&cublaslt.Product{
		Type: cublaslt.Int8, M: (rows + rowBucket - 1) / rowBucket * rowBucket, N: m.outputs, K: m.inputs, Batch: 1,
		A: cublaslt.Matrix{Address: e.values, Stride: m.inputs}, B: cublaslt.Matrix{Address: m.weights, Stride: m.inputs, Transposed: true}, C: sums, D: sums,
	}))
}

// addNormalised adds e.sums, the product of m and rows rounded with innerSteps, to the hidden rows,
// and normalises and rounds these.
func (e *Encoder) addNormalised(m *cardMatrix, n cardNorm, rows int) {
	e.d.launch("encoder_add", e.hidden, e.values, e.steps, e.sums, e.innerSteps, m.scales, m.biases, n.gamma, n.beta, rows)
}
