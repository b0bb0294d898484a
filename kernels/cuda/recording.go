package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
)

var _ kernels.Recorder = (*Device)(nil)

// recording implements kernels.Recording with CUDA graphs.
type recording struct {
	d          *Device
	mode       roundMode
	inputs     []input
	nextInput  int              // the next input of this round
	works      [][]recordedStep // the steps of each Do
	nextWork   int              // the next Do of this round
	workCount  int              // Do calls of a round
	freedCount uint64           // Device.freedCount when the works were recorded
}

// roundMode is how a round is executed.
type roundMode int

const (
	firstRound   roundMode = iota // no round has begun
	runDirectly                   // calls are executed
	captureRound                  // and recorded
	replayRound                   // calls are replayed from the recording
)

// input is memory of the card to which an Ints or Bytes of each round is copied.
type input struct{ address, bytes uint64 }

// recordedStep is a graph, or a call between two graphs.
type recordedStep struct {
	graph      driver.Graph
	unrecorded func()
}

// NewRecording implements kernels.Recorder.
func (d *Device) NewRecording() kernels.Recording {
	r := &recording{d: d}
	d.recordings[r] = true
	return r
}

// Begin implements kernels.Recording.
func (r *recording) Begin() {
	switch whole := r.nextWork == r.workCount; {
	case r.d.noGraphs || r.mode == firstRound:
		r.mode = runDirectly
	case r.mode == runDirectly:
		r.workCount, r.mode = r.nextWork, captureRound
	case whole && len(r.works) == r.workCount && r.freedCount == r.d.freedCount:
		r.mode = replayRound
	default:
		r.d.fail(r.freeGraphs())
		r.mode = captureRound
	}
	r.nextInput, r.nextWork = 0, 0
	r.d.inputRecording = r
}

// Do implements kernels.Recording.
func (r *recording) Do(f func()) {
	d := r.d
	d.inputRecording = nil
	r.nextWork++
	switch {
	case r.mode == replayRound && r.nextWork <= len(r.works):
		for _, p := range r.works[r.nextWork-1] {
			d.runStep(p)
		}
	case r.mode == replayRound:
		d.fail(errors.New("a round has more work than the one that was kept"))
	case r.mode == captureRound:
		d.scratch.Reset() // so that scratch memory has the same addresses in every replay
		r.freedCount = d.freedCount
		r.works = append(r.works, nil)
		r.startCapture()
		f()
		r.stopCapture()
	default:
		f()
	}
}

// runStep launches a step's graph or calls its function.
func (d *Device) runStep(p recordedStep) {
	switch {
	case p.unrecorded != nil:
		p.unrecorded()
	case d.err == nil:
		d.fail(d.context.LaunchGraph(p.graph, d.stream))
	}
}

// startCapture starts to record the stream's calls, if the driver supports graphs.
func (r *recording) startCapture() {
	d := r.d
	if d.err != nil {
		return
	}
	switch err := d.context.BeginCapture(d.stream); {
	case errors.Is(err, driver.ErrNoGraphs):
		d.noGraphs, r.mode, r.works = true, runDirectly, nil
	case err != nil:
		d.fail(err)
	default:
		d.capturing = r
	}
}

// stopCapture ends the capture that startCapture began, keeps the graph as a step, and runs it.
func (r *recording) stopCapture() {
	d := r.d
	if d.capturing != r { // see flushCapture
		return
	}
	d.capturing = nil
	g, err := d.context.EndCapture(d.stream)
	d.fail(err)
	if err == nil {
		last := &r.works[len(r.works)-1]
		*last = append(*last, recordedStep{graph: g})
		d.runStep(recordedStep{graph: g})
	}
}

// flushCapture runs what was captured so far, and captures nothing more in this round. It must be
// called before calls that a captured stream refuses.
func (d *Device) flushCapture() {
	if r := d.capturing; r != nil {
		r.stopCapture()
		d.fail(r.freeGraphs())
		r.mode = runDirectly
	}
}

// RunUnrecorded implements kernels.Recorder.
func (d *Device) RunUnrecorded(f func()) {
	r := d.capturing
	if r == nil {
		f()
		return
	}
	r.stopCapture()
	f()
	last := &r.works[len(r.works)-1]
	*last = append(*last, recordedStep{unrecorded: f})
	r.startCapture()
}

// copyInput copies bytes of the card to the address that this input had in earlier rounds, which it
// returns.
func (r *recording) copyInput(from uint64, bytes uint64) uint64 {
	d := r.d
	if r.nextInput == len(r.inputs) {
		r.inputs = append(r.inputs, input{})
	}
	at := &r.inputs[r.nextInput]
	r.nextInput++
	if at.bytes != bytes {
		if at.address != 0 {
			d.fail(d.context.Wait(d.stream))
			d.fail(d.freeBytes(at.address))
		}
		*at = input{d.allocBytes(bytes), bytes}
	}
	if d.err == nil {
		d.fail(d.context.Copy(at.address, from, bytes, d.stream))
	}
	return at.address
}

// freeGraphs frees all graphs and forgets the recorded steps.
func (r *recording) freeGraphs() error {
	var errs []error
	for _, parts := range r.works {
		for _, p := range parts {
			if p.unrecorded == nil {
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
	d.flushCapture()
	d.fail(d.context.Wait(d.stream))
	d.fail(r.freeGraphs())
	for _, at := range r.inputs {
		if at.address != 0 {
			d.fail(d.freeBytes(at.address))
		}
	}
	delete(d.recordings, r)
	r.inputs, r.mode, r.workCount, r.nextWork = nil, firstRound, 0, 0
}
