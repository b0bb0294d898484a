package train

import (
	"capgraph/kernels"
	"capgraph/train/model"
)

// size is what the rounds of a recording have in common.
type size struct {
	rows int // images; 0 for texts
	room model.Room
	keep bool // for Backward
}

// round is chunks of one size on their way through a tower, which devices that can
// keep as graphs.
type round struct {
	kernels.Recording
	y        *kernels.Var   // valid until the tape's next Reset
	features kernels.Tensor // those of y
	seed     kernels.Tensor // their gradients, where the round is kept
}

// mostRounds is how many sizes are kept at a time.
const mostRounds = 64

// round is the one of a size.
func (e *encoder) round(s size) *round {
	r := e.rounds[s]
	if r == nil {
		if len(e.rounds) == mostRounds {
			e.free()
		}
		r = &round{Recording: kernels.Calls{}}
		if e.keeps {
			r.Recording = e.tape.Device.(kernels.Recorder).NewRecording()
		}
		e.rounds[s] = r
	}
	return r
}

// free forgets all rounds.
func (e *encoder) free() {
	for _, r := range e.rounds {
		r.Free()
	}
	clear(e.rounds)
}

// begin takes a chunk through the tower.
func (e *encoder) begin(c span, keep bool) *round {
	e.tape.Reset()
	e.tape.Arena.Empty()
	e.tape.Forward = !keep
	size := e.size(c)
	size.keep = keep
	r := e.round(size)
	r.Begin()
	e.lay(c, size.room)
	r.Do(func() {
		r.y = e.encode(e.tape)
		r.features = r.y.Value
		if keep && e.keeps {
			r.seed = e.tape.Arena.Tensor(r.features.Rows, r.features.Cols)
		}
	})
	return r
}

// end adds the gradients of a round to those of the tower's parameters, of those of
// the features of its chunk.
func (e *encoder) end(r *round, gradients kernels.Tensor) {
	d, n := e.tape.Device, gradients.Rows
	if !e.keeps {
		e.tape.Seed(r.y, gradients)
		e.tape.Backward()
		return
	}
	d.Copy(e.rows(r.seed, span{0, n}), gradients)
	if n < r.seed.Rows {
		d.Zero(e.rows(r.seed, span{n, r.seed.Rows}))
	}
	r.Do(func() {
		e.tape.Seed(r.y, r.seed)
		e.tape.Backward()
	})
}
