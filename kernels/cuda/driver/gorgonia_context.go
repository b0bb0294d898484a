//go:build cuda && gorgonia && linux && (amd64 || arm64)

package driver

import (
	"unsafe"

	"gorgonia.org/cu"
)

func (c *context) Memory() (free, total uint64, err error) {
	err = c.call("cuMemGetInfo", func() error {
		f, t, err := cu.MemInfo()
		free, total = uint64(f), uint64(t)
		return err
	})
	return free, total, err
}

func (c *context) Alloc(bytes uint64) (address uint64, err error) {
	err = c.call("cuMemAlloc", func() error {
		p, err := cu.MemAlloc(int64(bytes))
		address = uint64(p)
		return err
	})
	return address, err
}

func (c *context) Free(address uint64) error {
	return c.call("cuMemFree", func() error { return cu.MemFree(cu.DevicePtr(address)) })
}

// AllocPinned allocates memory of the host. With gorgonia.org/cu it is not pinned: the driver
// copies through its own pinned memory.
func (c *context) AllocPinned(bytes int) ([]byte, error) { return make([]byte, bytes), nil }

func (c *context) FreePinned([]byte) error { return nil }

func (c *context) LoadModule(ptx string) (m Module, err error) {
	err = c.call("cuModuleLoadData", func() error {
		loaded, err := cu.LoadData(ptx)
		m = handleOf[Module](loaded)
		return err
	})
	return m, err
}

func (c *context) FindFunction(m Module, name string) (f Function, err error) {
	err = c.call("cuModuleGetFunction "+name, func() error {
		found, err := fromHandle[cu.Module](m).Function(name)
		f = handleOf[Function](found)
		return err
	})
	return f, err
}

func (c *context) Launch(f Function, grid [3]uint32, block uint32, s Stream, arguments []uint64) error {
	pointers := c.arguments.pointTo(arguments)
	return c.call("cuLaunchKernel", func() error {
		return fromHandle[cu.Function](f).Launch(int(grid[0]), int(grid[1]), int(grid[2]), int(block), 1, 1, 0, fromHandle[cu.Stream](s), pointers)
	})
}

func (c *context) Clear(address, bytes uint64, s Stream) error {
	return c.call("cuMemsetD8Async", func() error {
		return cu.MemsetD8Async(cu.DevicePtr(address), 0, int64(bytes), fromHandle[cu.Stream](s))
	})
}

func (c *context) Upload(to uint64, from []byte, s Stream) error {
	return c.call("cuMemcpyHtoDAsync", func() error {
		return cu.MemcpyHtoDAsync(cu.DevicePtr(to), unsafe.Pointer(&from[0]), int64(len(from)), fromHandle[cu.Stream](s))
	})
}

func (c *context) Download(to []byte, from uint64, s Stream) error {
	return c.call("cuMemcpyDtoHAsync", func() error {
		return cu.MemcpyDtoHAsync(unsafe.Pointer(&to[0]), cu.DevicePtr(from), int64(len(to)), fromHandle[cu.Stream](s))
	})
}

func (c *context) Copy(to, from, bytes uint64, s Stream) error {
	return c.call("cuMemcpyDtoDAsync", func() error {
		return cu.MemcpyDtoDAsync(cu.DevicePtr(to), cu.DevicePtr(from), int64(bytes), fromHandle[cu.Stream](s))
	})
}

func (c *context) NewStream() (s Stream, err error) {
	err = c.call("cuStreamCreate", func() error {
		made, err := cu.MakeStream(cu.NonBlocking)
		s = handleOf[Stream](made)
		return err
	})
	return s, err
}

func (c *context) Wait(s Stream) error {
	return c.call("cuStreamSynchronize", func() error { return fromHandle[cu.Stream](s).Synchronize() })
}

func (c *context) NewEvent() (e Event, err error) {
	err = c.call("cuEventCreate", func() error {
		made, err := cu.MakeEvent(cu.DisableTiming)
		e = handleOf[Event](made)
		return err
	})
	return e, err
}

func (c *context) Record(e Event, s Stream) error {
	return c.call("cuEventRecord", func() error { return fromHandle[cu.Event](e).Record(fromHandle[cu.Stream](s)) })
}

func (c *context) WaitEvent(e Event) error {
	return c.call("cuEventSynchronize", func() error { return fromHandle[cu.Event](e).Synchronize() })
}

func (c *context) StreamWaitEvent(s Stream, e Event) error {
	return c.call("cuStreamWaitEvent", func() error { return fromHandle[cu.Stream](s).Wait(fromHandle[cu.Event](e), 0) })
}

func (c *context) BeginCapture(Stream) error { return ErrNoGraphs }

func (c *context) EndCapture(Stream) (Graph, error) { return 0, ErrNoGraphs }

func (c *context) LaunchGraph(Graph, Stream) error { return ErrNoGraphs }

func (c *context) FreeGraph(Graph) error { return ErrNoGraphs }
