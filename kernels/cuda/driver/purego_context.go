//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package driver

import (
	"bytes"
	"errors"
	"runtime"
	"unsafe"
)

func (c *context) Memory() (free, total uint64, err error) {
	err = c.call("cuMemGetInfo", c.d.memGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free, total, err
}

func (c *context) Alloc(bytes uint64) (address uint64, err error) {
	err = c.call("cuMemAlloc", c.d.memAlloc, uintptr(unsafe.Pointer(&address)), uintptr(bytes))
	return address, err
}

func (c *context) Free(address uint64) error {
	return c.call("cuMemFree", c.d.memFree, uintptr(address))
}

// AllocPinned allocates memory of the host. With gorgonia.org/cu it is not pinned: the driver
// copies through its own pinned memory.
func (c *context) AllocPinned(bytes int) ([]byte, error) {
	var p unsafe.Pointer
	if err := c.call("cuMemHostAlloc", c.d.memHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes), 0); err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

func (c *context) FreePinned(b []byte) error {
	return c.call("cuMemFreeHost", c.d.memFreeHost, uintptr(unsafe.Pointer(&b[0])))
}

// compilerLog is memory to which the PTX compiler writes its messages.
type compilerLog struct {
	options [2]int32
	values  [2]uintptr
	log     [8192]byte
}

// The numbers of the PTX compiler's options in cuda.h.
const (
	errorLog     = 5
	errorLogSize = 6
)

func (c *context) LoadModule(ptx string) (m Module, err error) {
	j := &compilerLog{options: [2]int32{errorLog, errorLogSize}}
	text := append([]byte(ptx), 0)
	j.values = [2]uintptr{uintptr(unsafe.Pointer(&j.log[0])), uintptr(len(j.log) - 1)}
	err = c.call("cuModuleLoadDataEx", c.d.moduleLoad, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&text[0])),
		uintptr(len(j.options)), uintptr(unsafe.Pointer(&j.options[0])), uintptr(unsafe.Pointer(&j.values[0])))
	runtime.KeepAlive(j)
	var failed *Error
	if errors.As(err, &failed) {
		said, _, _ := bytes.Cut(j.log[:], []byte{0})
		failed.Log = string(bytes.TrimSpace(said))
	}
	return m, err
}

func (c *context) FindFunction(m Module, name string) (f Function, err error) {
	text := append([]byte(name), 0)
	err = c.call("cuModuleGetFunction "+name, c.d.moduleGetFunction, uintptr(unsafe.Pointer(&f)), uintptr(m), uintptr(unsafe.Pointer(&text[0])))
	return f, err
}

func (c *context) Launch(f Function, grid [3]uint32, block uint32, s Stream, arguments []uint64) error {
	c.arguments.pointTo(arguments)
	return c.call("cuLaunchKernel", c.d.launchKernel, uintptr(f), uintptr(grid[0]), uintptr(grid[1]), uintptr(grid[2]), uintptr(block), 1, 1, 0,
		uintptr(s), uintptr(unsafe.Pointer(&c.arguments.pointers[0])), 0)
}

func (c *context) Clear(address, bytes uint64, s Stream) error {
	return c.call("cuMemsetD8Async", c.d.memset, uintptr(address), 0, uintptr(bytes), uintptr(s))
}

func (c *context) Upload(to uint64, from []byte, s Stream) error {
	return c.call("cuMemcpyHtoDAsync", c.d.copyToDevice, uintptr(to), uintptr(unsafe.Pointer(&from[0])), uintptr(len(from)), uintptr(s))
}

func (c *context) Download(to []byte, from uint64, s Stream) error {
	return c.call("cuMemcpyDtoHAsync", c.d.copyToHost, uintptr(unsafe.Pointer(&to[0])), uintptr(from), uintptr(len(to)), uintptr(s))
}

func (c *context) Copy(to, from, bytes uint64, s Stream) error {
	return c.call("cuMemcpyDtoDAsync", c.d.copyBetween, uintptr(to), uintptr(from), uintptr(bytes), uintptr(s))
}

// nonBlocking is the flag of a stream that does not wait for the default stream.
const nonBlocking = 1

func (c *context) NewStream() (s Stream, err error) {
	err = c.call("cuStreamCreate", c.d.streamCreate, uintptr(unsafe.Pointer(&s)), nonBlocking)
	return s, err
}

func (c *context) Wait(s Stream) error {
	return c.call("cuStreamSynchronize", c.d.streamSynchronize, uintptr(s))
}

// noTiming is the flag of an event that does not measure time.
const noTiming = 2

func (c *context) NewEvent() (e Event, err error) {
	err = c.call("cuEventCreate", c.d.eventCreate, uintptr(unsafe.Pointer(&e)), noTiming)
	return e, err
}

func (c *context) Record(e Event, s Stream) error {
	return c.call("cuEventRecord", c.d.eventRecord, uintptr(e), uintptr(s))
}

func (c *context) WaitEvent(e Event) error {
	return c.call("cuEventSynchronize", c.d.eventSynchronize, uintptr(e))
}
