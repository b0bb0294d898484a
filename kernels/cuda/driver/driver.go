// Package driver calls CUDA's driver: devices, memory, copies, modules of PTX, launches, streams,
// events and graphs. Built with -tags cuda it opens libcuda.so.1 at run time; with -tags
// cuda,gorgonia it links gorgonia.org/cu and with it libcuda. Built without these tags, it has only
// the types and errors, and Open fails.
package driver

// Driver is CUDA's driver, initialised.
type Driver interface {
	// Version returns 1000·major + 10·minor of the newest CUDA that the driver supports.
	Version() int
	// Library returns the path of the driver's file.
	Library() string
	// Devices returns the cards that are visible to the process, ordered by their ordinals.
	Devices() ([]Info, error)
	// Open retains the primary context of a device.
	Open(ordinal int) (Context, error)
}

// Info describes a card.
type Info struct {
	Name         string
	Memory       uint64 // bytes
	Major, Minor int    // compute capability
	Processors   int    // streaming multiprocessors
}

// Handles that a Context returns.
type (
	Module uintptr // a module of PTX, compiled for the card
	// a kernel of a module
	Function uintptr // a kernel of a module
	Stream   uintptr // a queue of work that is done in order
	Event    uintptr // a point in the work of a stream
	Graph    uintptr // recorded calls of a stream, which can be repeated
)

// Context is the primary context of one card, which other libraries of the process share. Calls
// come from one goroutine at a time, on any thread. Calls in a stream may return before they are
// done.
type Context interface {
	// Memory returns the free memory of the card and all of it, in bytes.
	Memory() (free, total uint64, err error)
	// Alloc allocates memory of the card.
	Alloc(bytes uint64) (address uint64, err error)
	// Free frees memory that Alloc returned.
	Free(address uint64) error
	// AllocPinned allocates memory of the host that the card can read and write directly.
	AllocPinned(bytes int) ([]byte, error)
	// FreePinned frees pinned memory.
	FreePinned([]byte) error

	// LoadModule compiles PTX for the card. An error includes the compiler's messages.
	LoadModule(ptx string) (Module, error)
	// FindFunction finds a kernel.
	FindFunction(m Module, name string) (Function, error)
	// Launch starts a kernel in a stream, on a grid of blocks of block threads each. Each argument
	// takes 8 bytes, of which the kernel reads the size of its type.
	Launch(f Function, grid [3]uint32, block uint32, s Stream, arguments []uint64) error

	// Clear sets bytes to 0, in a stream.
	Clear(address, bytes uint64, s Stream) error
	// Upload copies from the host, in a stream. from must not change until the copy is done.
	Upload(to uint64, from []byte, s Stream) error
	// Download copies to the host, in a stream.
	Download(to []byte, from uint64, s Stream) error
	// Copy copies within the card, in a stream.
	Copy(to, from, bytes uint64, s Stream) error

	// NewStream creates a stream that does not wait for other streams.
	NewStream() (Stream, error)
	// Wait waits until all work of a stream is done. The error is the first one of the stream.
	Wait(s Stream) error
	// NewEvent creates an event, which is not recorded yet.
	NewEvent() (Event, error)
	// Record places an event after all work that is in the stream now.
	Record(e Event, s Stream) error
	// WaitEvent blocks the host until the stream has reached the event. It returns at once if the
	// event was never recorded.
	WaitEvent(e Event) error
	// StreamWaitEvent makes later work of a stream wait for an event. It does not block the host.
	StreamWaitEvent(s Stream, e Event) error

	// BeginCapture starts to record a stream's calls instead of running them: launches, Clear, Copy
	// and the calls of other libraries. Its error is ErrNoGraphs if the driver does not support
	// graphs.
	BeginCapture(s Stream) error
	// EndCapture ends the recording, and returns the recorded calls.
	EndCapture(s Stream) (Graph, error)
	// LaunchGraph runs a graph, in a stream.
	LaunchGraph(g Graph, s Stream) error
	// FreeGraph frees a graph.
	FreeGraph(g Graph) error

	// Do calls f on a thread on which this context is current, for calls of other libraries.
	Do(f func() error) error
	// Close releases the context and its memory.
	Close() error
}
