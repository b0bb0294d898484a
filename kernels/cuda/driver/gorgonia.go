//go:build cuda && gorgonia && linux && (amd64 || arm64)

package driver

import (
	"errors"
	"reflect"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"
)

// linked is libcuda as linked by gorgonia.org/cu, which initialises it before main, and ends the
// process if there is no card.
type linked struct{}

// Open opens libcuda, from folders or else from the loader's own folders, and initialises it. In a
// build without CUDA it returns ErrNotBuilt; with gorgonia.org/cu it ignores folders.
func Open([]string) (Driver, error) { return linked{}, nil }

func (linked) Version() int { return cu.Version() }

func (linked) Library() string { return "libcuda.so.1, linked by gorgonia.org/cu" }

func (linked) Devices() ([]Info, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, wrapError("cuDeviceGetCount", err)
	}
	var all []Info
	for i := range n {
		d, err := cu.GetDevice(i)
		if err != nil {
			return nil, wrapError("cuDeviceGet", err)
		}
		var info Info
		if info.Name, err = d.Name(); err != nil {
			return nil, wrapError("cuDeviceGetName", err)
		}
		memory, err := d.TotalMem()
		if err != nil {
			return nil, wrapError("cuDeviceTotalMem", err)
		}
		info.Memory = uint64(memory)
		for _, a := range []struct {
			to   *int
			what cu.DeviceAttribute
		}{{&info.Major, cu.ComputeCapabilityMajor}, {&info.Minor, cu.ComputeCapabilityMinor}, {&info.Processors, cu.MultiprocessorCount}} {
			if *a.to, err = d.Attribute(a.what); err != nil {
				return nil, wrapError("cuDeviceGetAttribute", err)
			}
		}
		all = append(all, info)
	}
	return all, nil
}

func (linked) Open(ordinal int) (Context, error) {
	d, err := cu.GetDevice(ordinal)
	if err != nil {
		return nil, wrapError("cuDeviceGet", err)
	}
	c, err := d.RetainPrimaryCtx()
	if err != nil {
		return nil, wrapError("cuDevicePrimaryCtxRetain", err)
	}
	return &context{device: d, handle: c}, nil
}

// wrapError returns the error of the named call as an *Error, with the code that gorgonia.org/cu
// hides in a type of its own.
func wrapError(name string, err error) error {
	if err == nil {
		return nil
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if v := reflect.ValueOf(e); v.Kind() == reflect.Int {
			return &Error{Call: name, Code: int(v.Int())}
		}
	}
	return err
}

// context is a primary context. Each call makes it current first, because a goroutine moves between
// threads.
type context struct {
	device cu.Device
	handle cu.CUContext

	arguments arguments
}

// call calls a function with the context current.
func (c *context) call(name string, f func() error) error {
	return c.Do(func() error { return wrapError(name, f()) })
}

func (c *context) Do(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cu.SetCurrentContext(c.handle); err != nil {
		return wrapError("cuCtxSetCurrent", err)
	}
	return f()
}

func (c *context) Close() error {
	return wrapError("cuDevicePrimaryCtxRelease", c.device.ReleasePrimaryCtx())
}

// handleOf returns the handle that a value of gorgonia.org/cu contains; fromHandle is its inverse.
func handleOf[H ~uintptr, T any](t T) H { return *(*H)(unsafe.Pointer(&t)) }

func fromHandle[T any, H ~uintptr](h H) T { return *(*T)(unsafe.Pointer(&h)) }
