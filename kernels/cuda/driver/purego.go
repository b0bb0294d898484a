//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package driver

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/kernels/cuda/library"
)

// openedDriver is libcuda, opened at run time.
type openedDriver struct {
	library *library.Library
	version int

	init, driverGetVersion, deviceGetCount, deviceGet, deviceGetName, deviceTotalMem, deviceGetAttribute uintptr
	primaryRetain, primaryRelease, ctxSetCurrent                                                         uintptr
	memGetInfo, memAlloc, memFree, memHostAlloc, memFreeHost                                             uintptr
	moduleLoad, moduleGetFunction, launchKernel                                                          uintptr
	memset, copyToDevice, copyToHost, copyBetween                                                        uintptr
	streamCreate, streamSynchronize, eventCreate, eventRecord, eventSynchronize, streamWaitEvent         uintptr
	beginCapture, endCapture, graphInstantiate, graphDestroy, graphLaunch, graphExecDestroy              uintptr
}

// Open opens libcuda, from folders or else from the loader's own folders, and initialises it. In a
// build without CUDA it returns ErrNotBuilt; with gorgonia.org/cu it ignores folders.
func Open(folders []string) (Driver, error) {
	l, err := library.Open([]string{"libcuda.so.1"}, folders)
	if err != nil {
		return nil, fmt.Errorf("no driver of CUDA: %w", err)
	}
	d := &openedDriver{library: l}
	if err := l.Bind(map[string]*uintptr{
		"cuInit": &d.init, "cuDriverGetVersion": &d.driverGetVersion,
		"cuDeviceGetCount": &d.deviceGetCount, "cuDeviceGet": &d.deviceGet, "cuDeviceGetName": &d.deviceGetName,
		"cuDeviceTotalMem_v2": &d.deviceTotalMem, "cuDeviceGetAttribute": &d.deviceGetAttribute,
		"cuDevicePrimaryCtxRetain": &d.primaryRetain, "cuDevicePrimaryCtxRelease_v2": &d.primaryRelease, "cuCtxSetCurrent": &d.ctxSetCurrent,
		"cuMemGetInfo_v2": &d.memGetInfo, "cuMemAlloc_v2": &d.memAlloc, "cuMemFree_v2": &d.memFree,
		"cuMemHostAlloc": &d.memHostAlloc, "cuMemFreeHost": &d.memFreeHost,
		"cuModuleLoadDataEx": &d.moduleLoad, "cuModuleGetFunction": &d.moduleGetFunction, "cuLaunchKernel": &d.launchKernel,
		"cuMemsetD8Async": &d.memset, "cuMemcpyHtoDAsync_v2": &d.copyToDevice, "cuMemcpyDtoHAsync_v2": &d.copyToHost, "cuMemcpyDtoDAsync_v2": &d.copyBetween,
		"cuStreamCreate": &d.streamCreate, "cuStreamSynchronize": &d.streamSynchronize,
		"cuEventCreate": &d.eventCreate, "cuEventRecord": &d.eventRecord, "cuEventSynchronize": &d.eventSynchronize, "cuStreamWaitEvent": &d.streamWaitEvent,
		"cuStreamBeginCapture_v2": &d.beginCapture, "cuStreamEndCapture": &d.endCapture, "cuGraphInstantiateWithFlags": &d.graphInstantiate,
		"cuGraphDestroy": &d.graphDestroy, "cuGraphLaunch": &d.graphLaunch, "cuGraphExecDestroy": &d.graphExecDestroy,
	}); err != nil {
		return nil, err
	}
	if err := d.call("cuInit", d.init, 0); err != nil {
		return nil, err
	}
	var version int32
	if err := d.call("cuDriverGetVersion", d.driverGetVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	d.version = int(version)
	return d, nil
}

// call calls a function and returns its result as an error.
//
//go:uintptrescapes
func (d *openedDriver) call(name string, function uintptr, arguments ...uintptr) error {
	if code, _, _ := purego.SyscallN(function, arguments...); int32(code) != 0 {
		return &Error{Call: name, Code: int(int32(code))}
	}
	return nil
}

func (d *openedDriver) Version() int { return d.version }

func (d *openedDriver) Library() string { return d.library.Path() }

// The numbers of device attributes in cuda.h.
const (
	multiprocessors = 16
	computeMajor    = 75
	computeMinor    = 76
)

func (d *openedDriver) Devices() ([]Info, error) {
	var n int32
	if err := d.call("cuDeviceGetCount", d.deviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	var all []Info
	for i := range int(n) {
		var device, major, minor, processors int32
		var memory uint64
		name := make([]byte, 256)
		if err := d.call("cuDeviceGet", d.deviceGet, uintptr(unsafe.Pointer(&device)), uintptr(i)); err != nil {
			return nil, err
		}
		if err := d.call("cuDeviceGetName", d.deviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(device)); err != nil {
			return nil, err
		}
		if err := d.call("cuDeviceTotalMem", d.deviceTotalMem, uintptr(unsafe.Pointer(&memory)), uintptr(device)); err != nil {
			return nil, err
		}
		for _, a := range []struct {
			to   *int32
			what uintptr
		}{{&major, computeMajor}, {&minor, computeMinor}, {&processors, multiprocessors}} {
			if err := d.call("cuDeviceGetAttribute", d.deviceGetAttribute, uintptr(unsafe.Pointer(a.to)), a.what, uintptr(device)); err != nil {
				return nil, err
			}
		}
		text, _, _ := bytes.Cut(name, []byte{0})
		all = append(all, Info{string(text), memory, int(major), int(minor), int(processors)})
	}
	return all, nil
}

func (d *openedDriver) Open(ordinal int) (Context, error) {
	c := &context{d: d}
	if err := d.call("cuDeviceGet", d.deviceGet, uintptr(unsafe.Pointer(&c.device)), uintptr(ordinal)); err != nil {
		return nil, err
	}
	if err := d.call("cuDevicePrimaryCtxRetain", d.primaryRetain, uintptr(unsafe.Pointer(&c.handle)), uintptr(c.device)); err != nil {
		return nil, err
	}
	return c, nil
}

// context is a primary context. Each call makes it current first, because a goroutine moves between
// threads.
type context struct {
	d      *openedDriver
	device int32
	handle uintptr

	arguments arguments
}

// call calls a function with the context current.
//
//go:uintptrescapes
func (c *context) call(name string, function uintptr, arguments ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.makeCurrent(); err != nil {
		return err
	}
	return c.d.call(name, function, arguments...)
}

// makeCurrent makes the context current on this thread.
func (c *context) makeCurrent() error {
	return c.d.call("cuCtxSetCurrent", c.d.ctxSetCurrent, c.handle)
}

func (c *context) Do(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.makeCurrent(); err != nil {
		return err
	}
	return f()
}

func (c *context) Close() error {
	return c.d.call("cuDevicePrimaryCtxRelease", c.d.primaryRelease, uintptr(c.device))
}
