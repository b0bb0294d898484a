package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
)

var _ kernels.Recorder = (*Device)(nil)

// recording is work that is kept as graphs.
type recording struct {
	d      *Device
	round  round
	inputs []input
	input  int      // the next of a round
	works  [][]part // of each Do
	work   int      // the next of a round
	whole  int      // works of a round
	given  uint64   // see Device.given, when the works were kept
}

// round is how the work of a round is done.
type round int

const (
	fresh    round = iota // there was no round
	called                // as it is asked
	kept                  // and kept
	repeated              // as it was kept
)

// input is memory of the card that indices or bytes of each round are copied to.
type input struct{ address, bytes uint64 }

// part is a graph, or what is done between two.
type part struct {
	graph driver.Graph
	aside func()
}

// NewRecording implements kernels.Recorder.
func (d *Device) NewRecording() kernels.Recording {
	r := &recording{d: d}
	d.recordings[r] = true
	return r
}

// Begin implements kernels.Recording.
func (r *recording) Begin() {
	switch whole := r.work == r.whole; {
	case r.d.noGraphs || r.round == fresh:
		r.round = called
	case r.round == called:
		r.whole, r.round = r.work, kept
	case whole && len(r.works) == r.whole && r.given == r.d.given:
		r.round = repeated
	default:
		r.d.fail(r.forget())
		r.round = kept
	}
	r.input, r.work = 0, 0
	r.d.inputs = r
}

// Do implements kernels.Recording.
func (r *recording) Do(f func()) {
	d := r.d
	d.inputs = nil
	r.work++
	switch {
	case r.round == repeated && r.work <= len(r.works):
		for _, p := range r.works[r.work-1] {
			d.do(p)
		}
	case r.round == repeated:
		d.fail(errors.New("a round has more work than the one that was kept"))
	case r.round == kept:
		d.scratch.Empty() // so that its memory stays where it is from here on
		r.given = d.given
		r.works = append(r.works, nil)
		r.start()
		f()
		r.stop()
	default:
		f()
	}
}

// do does a part.
func (d *Device) do(p part) {
	switch {
	case p.aside != nil:
		p.aside()
	case d.err == nil:
		d.fail(d.context.RunGraph(p.graph, d.stream))
	}
}

// start begins to keep what the stream is asked, where the driver can.
func (r *recording) start() {
	d := r.d
	if d.err != nil {
		return
	}
	switch err := d.context.BeginGraph(d.stream); {
	case errors.Is(err, driver.ErrNoGraphs):
		d.noGraphs, r.round, r.works = true, called, nil
	case err != nil:
		d.fail(err)
	default:
		d.keeping = r
	}
}

// stop keeps what the stream was asked since start, and does it.
func (r *recording) stop() {
	d := r.d
	if d.keeping != r { // see flush
		return
	}
	d.keeping = nil
	g, err := d.context.EndGraph(d.stream)
	d.fail(err)
	if err == nil {
		last := &r.works[len(r.works)-1]
		*last = append(*last, part{graph: g})
		d.do(part{graph: g})
	}
}

// flush does what is being kept, and keeps none of the round: before what a stream that
// is recorded does not take.
func (d *Device) flush() {
	if r := d.keeping; r != nil {
		r.stop()
		d.fail(r.forget())
		r.round = called
	}
}

// Aside implements kernels.Recorder.
func (d *Device) Aside(f func()) {
	r := d.keeping
	if r == nil {
		f()
		return
	}
	r.stop()
	f()
	last := &r.works[len(r.works)-1]
	*last = append(*last, part{aside: f})
	r.start()
}

// put copies what lies on the card to where it lay in the rounds before.
func (r *recording) put(from uint64, bytes uint64) uint64 {
	d := r.d
	if r.input == len(r.inputs) {
		r.inputs = append(r.inputs, input{})
	}
	at := &r.inputs[r.input]
	r.input++
	if at.bytes != bytes {
		if at.address != 0 {
			d.fail(d.context.Wait(d.stream))
			d.fail(d.give(at.address))
		}
		*at = input{d.take(bytes), bytes}
	}
	if d.err == nil {
		d.fail(d.context.Copy(at.address, from, bytes, d.stream))
	}
	return at.address
}

// forget gives the graphs back.
func (r *recording) forget() error {
	var errs []error
	for _, parts := range r.works {
		for _, p := range parts {
			if p.aside == nil {
				errs = append(errs, r.d.context.FreeGraph(p.graph))
			}
		}
	}
	r.works = nil
	return errors.Join(errs...)
}

// Free implements kernels.Recording.
func (r *recording) Free() {
	d := r.d
	d.flush()
	d.fail(d.context.Wait(d.stream))
	d.fail(r.forget())
	for _, at := range r.inputs {
		if at.address != 0 {
			d.fail(d.give(at.address))
		}
	}
	delete(d.recordings, r)
	r.inputs, r.round, r.whole, r.work = nil, fresh, 0, 0
}
