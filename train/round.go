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
	// again says that the chunk was encoded before in the same step.
	again bool
}

// round is chunks of one size on their way through a tower, which devices that can
// keep as graphs.
type round struct {
	kernels.Recording
	y    []*kernels.Var   // what the tower made, valid until the tape's next Reset
	made []kernels.Tensor // the values of y
	seed []kernels.Tensor // their gradients, where the round is kept
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

// begin takes a chunk through the tower, perhaps not for the first time in a step.
func (e *encoder) begin(c span, keep, again bool) *round {
	e.tape.Reset()
	e.tape.Arena.Empty()
	e.tape.Forward, e.tape.Again = !keep, again
	size := e.size(c)
	size.keep, size.again = keep, again
	r := e.round(size)
	r.Begin()
	e.lay(c, size.room)
	r.Do(func() {
		r.y, r.made, r.seed = e.encode(e.tape), nil, nil
		for _, y := range r.y {
			r.made = append(r.made, y.Value)
			if keep && e.keeps {
				r.seed = append(r.seed, e.tape.Arena.Tensor(y.Value.Rows, y.Value.Cols))
			}
		}
	})
	return r
}

// end adds the gradients of a round to those of the tower's parameters, of those of
// all outputs, which have those of its chunk.
func (e *encoder) end(r *round, c span, gradients []kernels.Tensor) {
	d, n := e.tape.Device, c.last-c.first
	if !e.keeps {
		for i, y := range r.y {
			if !gradients[i].None() {
				e.tape.Seed(y, e.rows(gradients[i], i, c))
			}
		}
		e.tape.Backward()
		return
	}
	for i, seed := range r.seed {
		if gradients[i].None() {
			d.Zero(seed)
			continue
		}
		d.Copy(e.rows(seed, i, span{0, n}), e.rows(gradients[i], i, c))
		if all := seed.Rows / e.outputs[i].each; n < all {
			d.Zero(e.rows(seed, i, span{n, all}))
		}
	}
	r.Do(func() {
		for i, y := range r.y {
			e.tape.Seed(y, r.seed[i])
		}
		e.tape.Backward()
	})
}
