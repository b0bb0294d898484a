package kernels

// Recorder is a device that keeps what it is asked and does it again at once, which
// CUDA calls a graph: the calls of a tape then cost the host nothing.
type Recorder interface {
	Device
	// NewRecording returns work of which nothing is kept yet.
	NewRecording() Recording
	// Aside does f in between the work of a recording: f is called in every round, and
	// what it asks is never kept. Outside of a recording it is called and that is all.
	Aside(f func())
}

// Recording is work that is done in rounds, each on other numbers of the same shapes
// in the same memory. The first round is done as it is asked, the second is kept, and
// the others repeat it; where memory was given back since, a round is kept anew. All
// rounds have the same bits.
type Recording interface {
	// Begin begins a round. Until its first Do, Ints and Bytes lie where those of the
	// rounds before lay: they have to be of the same lengths, in the same order.
	Begin()
	// Do does work, by calling f as long as nothing is kept of it. f asks for the same
	// in each round, and reads and writes nothing of the host. A round may have several,
	// the same number in each.
	Do(f func())
	// Free forgets the work, once it is done.
	Free()
}

// Calls is a Recording that keeps nothing: f is called in every round.
type Calls struct{}

// Begin implements Recording.
func (Calls) Begin() {}

// Do implements Recording.
func (Calls) Do(f func()) { f() }

// Free implements Recording.
func (Calls) Free() {}
