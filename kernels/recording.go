package kernels

// Recorder is a device that can record its calls and replay them, which CUDA calls a graph: the
// calls of a tape then cost the host nothing.
type Recorder interface {
	Device
	// NewRecording returns an empty recording.
	NewRecording() Recording
	// RunUnrecorded calls f. Within a recording, f is called in every round, and its device calls are never recorded.
	RunUnrecorded(f func())
}

// Recording is work that is done in rounds. The shapes and the memory are the same in each round, the numbers are not.
// The first round is executed directly, the second is recorded, and the others replay it. If memory was freed since the
// recording, the round is recorded again. Replaying gives the same bits as executing.
type Recording interface {
	// Begin starts a round. Ints and Bytes that are created before its first Do replace those of earlier rounds: they
	// must have the same lengths, in the same order.
	Begin()
	// Do calls f, or replays f's calls if they are recorded. f makes the same calls in each round, and reads and writes
	// nothing of the host. A round may have several Do, the same number each time.
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
