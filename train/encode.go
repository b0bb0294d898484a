package train

import (
	"capgraph/kernels"
	"capgraph/train/model"
)

// span are rows first to last-1 of what a tower encodes.
type span struct{ first, last int }

// encoder takes the images or the texts of a batch through one tower, chunk by
// chunk. A batch of one chunk keeps what its derivative needs; of several, each is
// encoded again for it, so that memory is that of one chunk.
type encoder struct {
	tape *kernels.Tape
	// size is that of a chunk. lay puts it where encode reads it, which gives its
	// features, a row each, of length 1; those behind the chunk's are of padding.
	size   func(span) size
	lay    func(span, model.Room)
	encode func(*kernels.Tape) *kernels.Var
	learns bool
	keeps  bool // the device keeps rounds

	own    []span // of the rows of a batch, those that this process encodes
	chunks []span // of those rows, counted on their own
	rounds map[size]*round
	kept   *round
}

// count is how many rows this process encodes.
func (e *encoder) count() (n int) {
	for _, o := range e.own {
		n += o.last - o.first
	}
	return n
}

// forward writes the features of all chunks.
func (e *encoder) forward(features kernels.Tensor) {
	e.kept = nil
	keep := e.learns && len(e.chunks) == 1
	for _, c := range e.chunks {
		r := e.begin(c, keep)
		e.tape.Device.Copy(e.rows(features, c), e.rows(r.features, span{0, c.last - c.first}))
		if keep {
			e.kept = r
		}
	}
}

// backward adds to the gradients of the tower's parameters, of those of all
// features.
func (e *encoder) backward(gradients kernels.Tensor) {
	if !e.learns || gradients.None() {
		return
	}
	for _, c := range e.chunks {
		r := e.kept
		if r == nil {
			r = e.begin(c, true)
		}
		e.end(r, e.rows(gradients, c))
	}
}

// rows are those of a chunk.
func (e *encoder) rows(t kernels.Tensor, c span) kernels.Tensor {
	return kernels.Tensor{
		Rows: c.last - c.first, Cols: t.Cols,
		Memory: e.tape.Device.Slice(t.Memory, c.first*t.Cols, (c.last-c.first)*t.Cols),
	}
}

// split cuts rows into chunks of at most most tokens, but of one row at least; all
// rows are one chunk where most is 0. tokens says how many a row has.
func split(chunks []span, n, most int, tokens func(row int) int) []span {
	chunks = chunks[:0]
	first, sum := 0, 0
	for i := range n {
		k := tokens(i)
		if most > 0 && i > first && sum+k > most {
			chunks = append(chunks, span{first, i})
			first, sum = i, 0
		}
		sum += k
	}
	if n > first {
		chunks = append(chunks, span{first, n})
	}
	return chunks
}
