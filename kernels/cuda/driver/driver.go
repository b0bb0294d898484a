// Package driver is what capgraph calls of CUDA's driver: devices, memory, copies,
// modules of PTX, launches, streams, events and graphs. Built with -tags cuda it opens
// libcuda.so.1 when it is asked to, with -tags cuda,gorgonia it links gorgonia.org/cu
// and with it libcuda; built without, it is the names and the errors alone.
package driver

// Driver is CUDA's driver, initialised.
type Driver interface {
	// Version is 1000·major + 10·minor of the newest CUDA that the driver knows.
	Version() int
	// Library is the file that the driver is.
	Library() string
	// Devices are the cards that the process sees, in the order of their numbers.
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
	Module   uintptr // PTX, compiled for the card
	Function uintptr // a kernel of a module
	Stream   uintptr // what is done in order
	Event    uintptr // a point of a stream
	Graph    uintptr // what a stream was asked, to be done again
)

// Context is the primary context of one card, which other libraries of the process
// share. Calls come from one goroutine at a time, on any thread. What is said to be
// of a stream may return before it is done.
type Context interface {
	// Memory is how much the card has left, and in all, in bytes.
	Memory() (free, total uint64, err error)
	// Alloc takes memory of the card.
	Alloc(bytes uint64) (address uint64, err error)
	// Free gives it back.
	Free(address uint64) error
	// Pinned takes memory of the host that the card copies from and to by itself.
	Pinned(bytes int) ([]byte, error)
	// Unpin gives it back.
	Unpin([]byte) error

	// Load compiles PTX. The error has the compiler's words, where there are any.
	Load(ptx string) (Module, error)
	// Function finds a kernel.
	Function(m Module, name string) (Function, error)
	// Launch starts a kernel on a grid of blocks of that many threads, in a stream. Each
	// argument has 8 bytes, of which the card reads as many as its type has.
	Launch(f Function, grid [3]uint32, block uint32, s Stream, arguments []uint64) error

	// Clear sets bytes to 0, in a stream.
	Clear(address, bytes uint64, s Stream) error
	// Upload copies from the host, in a stream; from stays as it is until then.
	Upload(to uint64, from []byte, s Stream) error
	// Download copies to the host, in a stream.
	Download(to []byte, from uint64, s Stream) error
	// Copy copies within the card, in a stream.
	Copy(to, from, bytes uint64, s Stream) error

	// NewStream makes a stream that waits for no other.
	NewStream() (Stream, error)
	// Wait waits until all of a stream is done. What failed in it is the error.
	Wait(s Stream) error
	// NewEvent makes an event.
	NewEvent() (Event, error)
	// Record puts an event after what a stream has so far.
	Record(e Event, s Stream) error
	// WaitFor waits for an event; one that was never recorded is past.
	WaitFor(e Event) error
	// Follow lets what a stream is asked from here on wait for an event, and the host go on.
	Follow(s Stream, e Event) error

	// BeginGraph begins to keep what a stream is asked, in place of doing it: launches, Clear,
	// Copy and what other libraries do in it. Its error is ErrNoGraphs where there are none.
	BeginGraph(s Stream) error
	// EndGraph ends that, and returns what was kept.
	EndGraph(s Stream) (Graph, error)
	// RunGraph does it, in a stream.
	RunGraph(g Graph, s Stream) error
	// FreeGraph forgets it.
	FreeGraph(g Graph) error

	// Do calls f on a thread of which the context is the current one, for other
	// libraries.
	Do(f func() error) error
	// Close gives the context back, and with it what was taken of it.
	Close() error
}
