// Package driver has the calls of CUDA's driver that capgraph makes: devices, memory, copies,
// modules of PTX, launches, streams, events and graphs. Built with -tags cuda it opens libcuda.so.1
// at run time; with -tags cuda,gorgonia it links gorgonia.org/cu and with it libcuda. Built
// without, it has the names and the errors only.
package driver

// Driver is CUDA's driver, initialised.
type Driver interface {
	// Version returns 1000·major + 10·minor of the newest CUDA that the driver supports.
	Version() int
	// Library returns the file of the driver.
	Library() string
	// Devices returns the cards that the process sees, in the order of their numbers.
	Devices() ([]Info, error)
	// Open retains the primary context of a device.
	Open(ordinal int) (Context, error)
}

// Info is a card.
type Info struct {
	Name         string
	Memory       uint64 // bytes
	Major, Minor int    // compute capability
	Processors   int    // streaming multiprocessors
}

// What a context hands out.
type (
	Module uintptr // PTX, compiled for the card
	// a kernel of a module
	Function uintptr // a kernel of a module
	Stream   uintptr // what is done in order
	Event    uintptr // a point of a stream
	Graph    uintptr // the calls of a stream, to be repeated
)

// Context is the primary context of one card, which other libraries of the process share. Calls
// come from one goroutine at a time, on any thread. Calls in a stream may return before they are
// done.
type Context interface {
	// Memory returns the free memory of the card and all of it, in bytes.
	Memory() (free, total uint64, err error)
	// Alloc takes memory of the card.
	Alloc(bytes uint64) (address uint64, err error)
	// Free frees memory of Alloc.
	Free(address uint64) error
	// AllocPinned takes memory of the host that the card copies from and to by itself.
	AllocPinned(bytes int) ([]byte, error)
	// FreePinned frees pinned memory.
	FreePinned([]byte) error

	// LoadModule compiles PTX. The error has the compiler's messages, if there are any.
	LoadModule(ptx string) (Module, error)
	// FindFunction finds a kernel.
	FindFunction(m Module, name string) (Function, error)
	// Launch starts a kernel on a grid of blocks of that many threads, in a stream. Each argument
	// has 8 bytes; the card reads as many as its type has.
	Launch(f Function, grid [3]uint32, block uint32, s Stream, arguments []uint64) error

	// Clear sets bytes to 0, in a stream.
	Clear(address, bytes uint64, s Stream) error
	// Upload copies from the host, in a stream. from must not change until it is done.
	Upload(to uint64, from []byte, s Stream) error
	// Download copies to the host, in a stream.
	Download(to []byte, from uint64, s Stream) error
	// Copy copies within the card, in a stream.
	Copy(to, from, bytes uint64, s Stream) error

	// NewStream makes a stream that waits for no other.
	NewStream() (Stream, error)
	// Wait waits until all work of a stream is done. The error is the first one of the stream.
	Wait(s Stream) error
	// NewEvent makes an event.
	NewEvent() (Event, error)
	// Record puts an event after the work that a stream has so far.
	Record(e Event, s Stream) error
	// WaitEvent makes the host wait for an event. An event that was never recorded is past.
	WaitEvent(e Event) error
	// StreamWaitEvent makes later work of a stream wait for an event. The host continues.
	StreamWaitEvent(s Stream, e Event) error

	// BeginCapture starts to record a stream's calls instead of running them: launches, Clear, Copy
	// and the calls of other libraries. Its error is ErrNoGraphs if the driver has no graphs.
	BeginCapture(s Stream) error
	// EndCapture ends that, and returns what was recorded.
	EndCapture(s Stream) (Graph, error)
	// LaunchGraph runs a graph, in a stream.
	LaunchGraph(g Graph, s Stream) error
	// FreeGraph frees a graph.
	FreeGraph(g Graph) error

	// Do calls f on a thread with this context current, for other libraries.
	Do(f func() error) error
	// Close releases the context and its memory.
	Close() error
}
