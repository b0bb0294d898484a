package train

import (
	"slices"

	"capgraph/kernels"
	"capgraph/train/model"
)

// span is the rows first to last-1.
type span struct{ first, last int }

// towerEncoder encodes the images or the texts of a batch with one tower, chunk by chunk. A single chunk keeps what its
// gradients need. If there are several, each is encoded again for its gradients, so that memory is needed for one chunk
// only.
type towerEncoder struct {
	tape *kernels.Tape
	// shapeOf returns the shape of a chunk. load copies a chunk to the memory that encode reads. encode returns the
	// tower's outputs; rows beyond those of the chunk are padding.
	shapeOf        func(span) chunkShape
	load           func(span, model.Room)
	encode         func(*kernels.Tape) []*kernels.Var
	needsGradients bool
	records        bool // the device can record chunks and replay them

	ownRows     []span // rows of the batch that this process encodes
	chunks      []span // spans of the own rows, which are numbered from 0
	recordings  map[chunkShape]*recordedChunk
	forBackward *recordedChunk // the only chunk, kept for backward; nil if there are several
	isLastChunk bool           // backward has reached the last chunk
	extent      model.Extent

	outputs []output
}

// output is one result of a tower for a batch, with rowsEach rows for each image or text, or a row for each token of
// texts. It has the rows of the whole batch or, if ownOnly is set, those that this process encodes.
type output struct {
	kernels.Tensor
	rowsEach int
	ownOnly  bool
	// tokenStarts has, for each text that this process encodes, the index of its first token among the tokens of the
	// batch, then the end of the last text. It is nil unless there is a row for each token.
	tokenStarts []int
}

// ownRows returns the rows of the images or texts c, numbered among those that this process encodes, in an output with
// only these.
func (o *output) ownRows(c span) span {
	if o.tokenStarts == nil {
		return span{c.first * o.rowsEach, c.last * o.rowsEach}
	}
	return span{o.tokenStarts[c.first] - o.tokenStarts[0], o.tokenStarts[c.last] - o.tokenStarts[0]}
}

// batchRows returns the rows of the images or texts c in the output of the whole batch. If there is a row for each
// token, c must be all texts that this process encodes.
func (o *output) batchRows(c span) span {
	if o.tokenStarts == nil {
		return span{c.first * o.rowsEach, c.last * o.rowsEach}
	}
	return span{o.tokenStarts[0], o.tokenStarts[len(o.tokenStarts)-1]}
}

// chunkRows returns the rows of a chunk in the results of encode for this chunk, without padding.
func (o *output) chunkRows(c span) span {
	rows := o.ownRows(c)
	return span{0, rows.last - rows.first}
}

// ownCount returns how many images or texts this process encodes.
func (e *towerEncoder) ownCount() (n int) {
	for _, o := range e.ownRows {
		n += o.last - o.first
	}
	return n
}

// forward encodes all chunks and copies their results to outputs.
func (e *towerEncoder) forward(outputs []kernels.Tensor) {
	e.forBackward = nil
	keep := e.needsGradients && len(e.chunks) == 1
	for _, c := range e.chunks {
		r := e.encodeChunk(c, keep, false)
		for i, value := range r.values {
			o := &e.outputs[i]
			e.tape.Device.Copy(e.rowsOf(outputs[i], o.ownRows(c)), e.rowsOf(value, o.chunkRows(c)))
		}
		if keep {
			e.forBackward = r
		}
	}
}

// backward computes the gradients of the tower's parameters from those of all outputs, each of which may be none.
func (e *towerEncoder) backward(gradients []kernels.Tensor) {
	if !e.needsGradients || !slices.ContainsFunc(gradients, func(g kernels.Tensor) bool { return !g.IsNone() }) {
		return
	}
	for i, c := range e.chunks {
		e.isLastChunk = i == len(e.chunks)-1
		r := e.forBackward
		if r == nil {
			r = e.encodeChunk(c, true, true)
		}
		e.backwardChunk(r, c, gradients)
	}
}

// rowsOf returns rows of an output, or of its gradient.
func (e *towerEncoder) rowsOf(t kernels.Tensor, rows span) kernels.Tensor {
	return e.tape.Rows(t, rows.first, rows.last)
}

// splitChunks splits n rows into chunks of at most maxTokens tokens, but of at least one row. If maxTokens is 0, all
// rows are one chunk. tokens returns the number of tokens of a row.
func splitChunks(chunks []span, n, maxTokens int, tokens func(row int) int) []span {
	chunks = chunks[:0]
	first, sum := 0, 0
	for i := range n {
		k := tokens(i)
		if maxTokens > 0 && i > first && sum+k > maxTokens {
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

// chunkShape is what chunks must have in common to share a recording.
type chunkShape struct {
	rows        int // images; 0 for texts
	room        model.Room
	forBackward bool
	recompute   bool // the chunk is encoded for the second time in this step
}

// recordedChunk is the encoding of chunks of one shape, which devices that can record replay.
type recordedChunk struct {
	kernels.Recording
	outputs   []*kernels.Var   // valid until the tape's next Reset
	values    []kernels.Tensor // of the outputs
	gradients []kernels.Tensor // of the outputs, if the chunk is recorded for backward
}

// maxRecordings is the maximum number of recordings that are kept.
const maxRecordings = 64

// recordingFor returns the recording of a shape, which is new if there was none.
func (e *towerEncoder) recordingFor(s chunkShape) *recordedChunk {
	r := e.recordings[s]
	if r == nil {
		if len(e.recordings) == maxRecordings {
			e.freeRecordings()
		}
		r = &recordedChunk{Recording: kernels.NoRecording{}}
		if e.records {
			r.Recording = e.tape.Device.(kernels.Recorder).NewRecording()
		}
		e.recordings[s] = r
	}
	return r
}

// freeRecordings frees all recordings.
func (e *towerEncoder) freeRecordings() {
	for _, r := range e.recordings {
		r.Free()
	}
	clear(e.recordings)
}

// encodeChunk encodes one chunk. forBackward says that gradients follow; recompute, that it was encoded before in the
// same step.
func (e *towerEncoder) encodeChunk(c span, forBackward, recompute bool) *recordedChunk {
	e.tape.Reset()
	e.tape.Arena.Reset()
	e.tape.ForwardOnly, e.tape.Recompute = !forBackward, recompute
	shape := e.shapeOf(c)
	shape.forBackward, shape.recompute = forBackward, recompute
	r := e.recordingFor(shape)
	r.Begin()
	e.load(c, shape.room)
	r.Do(func() {
		r.outputs, r.values, r.gradients = e.encode(e.tape), nil, nil
		for _, y := range r.outputs {
			r.values = append(r.values, y.Value)
			if forBackward && e.records {
				r.gradients = append(r.gradients, e.tape.Arena.Tensor(y.Value.Rows, y.Value.Cols))
			}
		}
	})
	return r
}

// backwardChunk computes the gradients of the tower's parameters from the gradients of a chunk's
// outputs. gradients has the outputs' gradients for all chunks.
func (e *towerEncoder) backwardChunk(r *recordedChunk, c span, gradients []kernels.Tensor) {
	d := e.tape.Device
	if !e.records {
		for i, y := range r.outputs {
			if !gradients[i].IsNone() {
				e.tape.Seed(y, e.rowsOf(gradients[i], e.outputs[i].ownRows(c)))
			}
		}
		e.tape.Backward()
		return
	}
	for i, to := range r.gradients {
		if gradients[i].IsNone() {
			d.Zero(to)
			continue
		}
		o := &e.outputs[i]
		rows := o.chunkRows(c)
		d.Copy(e.rowsOf(to, rows), e.rowsOf(gradients[i], o.ownRows(c)))
		if rows.last < to.Rows {
			d.Zero(e.rowsOf(to, span{rows.last, to.Rows}))
		}
	}
	r.Do(func() {
		for i, y := range r.outputs {
			e.tape.Seed(y, r.gradients[i])
		}
		e.tape.Backward()
	})
}
