package encoder

import (
	"errors"
	"fmt"
	"sync"

	"capgraph/kernels/cuda"
)

// Card runs a network on a GPU, with the same bits as on the CPU. It is safe for concurrent use.
type Card struct {
	mutex   sync.Mutex
	encoder *cuda.Encoder
	batch   cuda.EncoderBatch
}

// cardRows is the most word pieces that a GPU encodes at once: enough to occupy it.
const cardRows = 8192

// MoveTo copies the weights to a GPU. From then on only the Card may use d.
func (n *Network) MoveTo(d *cuda.Device) (*Card, error) {
	if n.exactWords != nil {
		return nil, errors.New("encoder: a card takes rounded weights only")
	}
	w := &cuda.EncoderWeights{
		Words: n.words, WordScales: n.wordScales, Shapes: n.shapes, Written: n.written[Width:], Positions: n.positions, Norm: cuda.EncoderNorm{Gamma: n.norm.gamma, Beta: n.norm.beta},
	}
	for i := range n.layers {
		l := &n.layers[i]
		w.Layers = append(w.Layers, cuda.EncoderLayer{
			Queries: l.queries.toRowMajor(), Attention: l.attention.toRowMajor(), Norm: cuda.EncoderNorm{Gamma: l.norm.gamma, Beta: l.norm.beta},
			Inner: l.inner.toRowMajor(), Outer: l.outer.toRowMajor(), OuterNorm: cuda.EncoderNorm{Gamma: l.outerNorm.gamma, Beta: l.outerNorm.beta},
		})
	}
	e, err := d.NewEncoder(w)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	return &Card{encoder: e}, nil
}

// toRowMajor returns the matrix in row-major order, a row of weights for each output.
func (m *matrix) toRowMajor() cuda.EncoderMatrix {
	rows := make([]int8, len(m.weights))
	for b := 0; b < len(m.scales); b += columns {
		block := m.block(b)
		for o := range columns {
			row := rows[(b+o)*m.inputs:][:m.inputs]
			for i := 0; i < m.inputs; i += 4 {
				copy(row[i:i+4], block[i*columns+4*o:])
			}
		}
	}
	return cuda.EncoderMatrix{Weights: rows, Scales: m.scales, Biases: m.biases}
}

// Encode sets m.Vectors like [Network.Encode].
func (c *Card) Encode(m *Memory, texts []Input) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m.Vectors = m.Vectors[:0]
	b := &c.batch
	for len(texts) > 0 {
		*b = cuda.EncoderBatch{Pieces: b.Pieces[:0], Shapes: b.Shapes[:0], Places: b.Places[:0], Begins: b.Begins[:0], Ends: b.Ends[:0], Firsts: b.Firsts[:0], Lasts: b.Lasts[:0]}
		count := 0
		for count < len(texts) && (count == 0 || len(b.Pieces)+len(texts[count].Pieces) <= cardRows) {
			appendText(b, &texts[count])
			count++
		}
		texts = texts[count:]
		from, n := len(m.Vectors), len(b.Firsts)*Width
		m.Vectors = append(m.Vectors, make([]float32, n)...)
		if err := c.encoder.Encode(b, m.Vectors[from:]); err != nil {
			return err
		}
	}
	return nil
}

func appendText(b *cuda.EncoderBatch, x *Input) {
	begin := int32(len(b.Pieces))
	end := begin + int32(len(x.Pieces))
	b.Pieces = append(b.Pieces, x.Pieces...)
	for p := range x.Pieces {
		b.Shapes = append(b.Shapes, int32(x.Shapes[p])%shapeCount)
		b.Places = append(b.Places, int32(p))
		b.Begins, b.Ends = append(b.Begins, begin), append(b.Ends, end)
	}
	for t := range x.First {
		b.Firsts, b.Lasts = append(b.Firsts, begin+x.First[t]), append(b.Lasts, begin+x.Last[t])
	}
}
