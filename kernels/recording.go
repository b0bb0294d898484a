package kernels

// Recorder is a device that can record its calls and replay them, which CUDA calls a graph: the
// calls of a tape then cost the host nothing.
type Recorder interface {
	Device
	// NewRecording returns an empty recording.
	NewRecording() Recording
	// RunUnrecorded calls f between the work of a recording. f is called in every round, and its
	// calls are never recorded. Outside a recording it only calls f.
	RunUnrecorded(f func())
}

// Recording is work that is done in rounds, each with other numbers of the same shapes in the same
// memory. The first round is executed directly, the second is recorded, and the others replay it.
// If memory was freed since, a round is recorded again. All rounds have the same bits.
type Recording interface {
	// Begin starts a round. Until its first Do, Ints and Bytes are put where the ones of earlier rounds were: they must have the same lengths, in the same order.
	Begin()
	// Do executes work, by calling f unless it is recorded. f makes the same calls in each round,
	// and reads and writes nothing of the host. A round may have several Do, the same number each
	// time.
	Do(f func())
	// Free drops the recording, after its work is done.
	Free()
}

// NoRecording is a Recording that records nothing: f is called in every round.
type NoRecording struct{}

// Begin implements Recording.
func (NoRecording) Begin() {}

// Do implements Recording.
func (NoRecording) Do(f func()) { f() }

// Free implements Recording.
func (NoRecording) Free() {}
