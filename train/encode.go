package train

import (
	"slices"

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
	// size is that of a chunk. lay puts it where encode reads it, which gives what the
	// tower makes of it: as many rows of each output for every image or text; those
	// behind the chunk's are of padding.
	size   func(span) size
	lay    func(span, model.Room)
	encode func(*kernels.Tape) []*kernels.Var
	learns bool
	keeps  bool // the device keeps rounds

	own    []span // of the rows of a batch, those that this process encodes
	chunks []span // of those rows, counted on their own
	rounds map[size]*round
	kept   *round
	final  bool // it is the last chunk that is on its way back
	extent model.Extent

	outputs []output
}

// output is what a tower makes of a batch: each rows of it for every image or text, of
// all of them or, where own is set, of those alone that this process encodes.
type output struct {
	kernels.Tensor
	each int
	own  bool
}

// count is how many rows this process encodes.
func (e *encoder) count() (n int) {
	for _, o := range e.own {
		n += o.last - o.first
	}
	return n
}

// forward writes the outputs of all chunks.
func (e *encoder) forward(outputs []kernels.Tensor) {
	e.kept = nil
	keep := e.learns && len(e.chunks) == 1
	for _, c := range e.chunks {
		r := e.begin(c, keep, false)
		for i, made := range r.made {
			e.tape.Device.Copy(e.rows(outputs[i], i, c), e.rows(made, i, span{0, c.last - c.first}))
		}
		if keep {
			e.kept = r
		}
	}
}

// backward adds to the gradients of the tower's parameters, of those of all
// outputs, of which some may be none.
func (e *encoder) backward(gradients []kernels.Tensor) {
	if !e.learns || !slices.ContainsFunc(gradients, func(g kernels.Tensor) bool { return !g.None() }) {
		return
	}
	for i, c := range e.chunks {
		e.final = i == len(e.chunks)-1
		r := e.kept
		if r == nil {
			r = e.begin(c, true, true)
		}
		e.end(r, c, gradients)
	}
}

// rows are those of a chunk, or of other images or texts, of output i.
func (e *encoder) rows(t kernels.Tensor, i int, c span) kernels.Tensor {
	each := e.outputs[i].each
	return e.tape.Rows(t, c.first*each, c.last*each)
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
