//go:build cuda && linux && (amd64 || arm64)

package driver

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/testing/cudastub"
)

// open opens the stub, and its first card.
func open(t *testing.T) (*cudastub.Stub, Driver, Context) {
	t.Helper()
	s := cudastub.Build(t)
	d, err := Open([]string{s.Folder})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	return s, d, c
}

func TestDevices(t *testing.T) {
	s, d, _ := open(t)
	want := []Info{{"Stub 0", 1 << 30, 9, 0, 132}, {"Stub 1", 1 << 30, 7, 0, 132}}
	if got, err := d.Devices(); err != nil || !slices.Equal(got, want) || d.Version() != 12040 || !strings.Contains(d.Library(), "libcuda.so.1") {
		t.Errorf("%+v, %v; %d of %s", got, err, d.Version(), d.Library())
	}
	if _, err := d.Open(2); err == nil || err.Error() != "cuDeviceGet: there is no card of that number (CUDA error 101)" {
		t.Error(err)
	}
	s.SetDevices(0)
	if _, err := d.Devices(); err == nil || !strings.Contains(err.Error(), "no card is seen: see nvidia-smi and CUDA_VISIBLE_DEVICES (CUDA error 100)") {
		t.Error(err)
	}
}

// A launch, with arguments of three types, between copies.
func TestLaunch(t *testing.T) {
	s, _, c := open(t)
	stream, err := c.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	event, err := c.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.LoadModule(".version 7.8")
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.FindFunction(m, "twice")
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	host, err := c.AllocPinned(16)
	if err != nil {
		t.Fatal(err)
	}
	for i := range host {
		host[i] = byte(i)
	}
	var got []uint64
	s.Reset()
	s.SetLauncher(purego.NewCallback(func(name *byte, arguments unsafe.Pointer, x, y uint32) uintptr {
		got = append([]uint64{uint64(x), uint64(y)}, cudastub.Arguments(arguments, 3)...)
		return 0
	}), purego.NewCallback(func(*byte) uintptr { return 3 }))
	back := make([]byte, 16)
	for _, err := range []error{
		c.Upload(at, host, stream),
		c.Launch(f, [3]uint32{5, 7, 1}, 256, stream, []uint64{at, 3, 0x3f800000}),
		c.Copy(at+8, at, 8, stream),
		c.Clear(at, 4, stream),
		c.Download(back, at, stream),
		c.Record(event, stream),
		c.WaitEvent(event),
		c.Wait(stream),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []uint64{5, 7, at, 3, 0x3f800000}; !slices.Equal(got, want) {
		t.Errorf("the kernel was launched with %d, not %d", got, want)
	}
	if want := []byte{0, 0, 0, 0, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(back, want) {
		t.Errorf("%v, not %v", back, want)
	}
	pinned := " pinned"
	if !pins {
		pinned = ""
	}
	want := "cuMemcpyHtoDAsync 16" + pinned + "\ncuLaunchKernel twice 5 7 1, 256 1 1, 0\ncuMemcpyDtoDAsync 8\ncuMemsetD8Async 0 4\ncuMemcpyDtoHAsync 16\n" +
		"cuEventRecord\ncuEventSynchronize\ncuStreamSynchronize\n"
	if log := s.Log(); log != want {
		t.Errorf("the driver was asked\n%s\nnot\n%s", log, want)
	}
	if err := errors.Join(c.FreePinned(host), c.Free(at), c.Close()); err != nil {
		t.Error(err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	s, _, c := open(t)
	s.SetRoom(100)
	var failed *Error
	if _, err := c.Alloc(101); !errors.As(err, &failed) || failed.Code != OutOfMemory || err.Error() != "cuMemAlloc: out of memory (CUDA error 2)" {
		t.Error(err)
	}
	if free, total, err := c.Memory(); free != 100 || total != 1<<30 || err != nil {
		t.Error(free, total, err)
	}
	if _, err := c.LoadModule("nonsense"); err == nil || !strings.Contains(err.Error(), "the PTX cannot be compiled (CUDA error 218)") || pins && !strings.Contains(err.Error(), ": ptxas stub, line 1; fatal   : no version") {
		t.Error(err)
	}
	m, err := c.LoadModule(".version 7.8")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.FindFunction(m, "absent"); err == nil || err.Error() != "cuModuleGetFunction absent: a function is not there (CUDA error 500)" {
		t.Error(err)
	}
	s.FailCall("cuStreamSynchronize", 719)
	if err := c.Wait(1); err == nil || !strings.Contains(err.Error(), "a kernel failed") {
		t.Error(err)
	}
	s.FailCall("cuStreamSynchronize", 7777)
	if err := c.Wait(1); err == nil || err.Error() != "cuStreamSynchronize: an error that is not listed here (CUDA error 7777)" {
		t.Error(err)
	}
	s.FailCall("cuCtxSetCurrent", 201)
	if err := c.Do(func() error { return nil }); err == nil || !strings.Contains(err.Error(), "no context is current") {
		t.Error(err)
	}
}

// What a stream is asked while it is recorded is done when the graph is run, each time
// anew.
func TestGraphs(t *testing.T) {
	if !pins {
		t.Skip("gorgonia.org/cu keeps no graphs")
	}
	s, _, c := open(t)
	stream, err := c.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	host, back := []byte{1, 2, 3, 4, 5, 6, 7, 8}, make([]byte, 16)
	read := func() []byte {
		if err := c.Download(back, at, stream); err != nil {
			t.Fatal(err)
		}
		return back
	}
	if err := errors.Join(c.Clear(at, 16, stream), c.Upload(at, host, stream), c.BeginCapture(stream), c.Copy(at+8, at, 8, stream), c.Clear(at, 2, stream)); err != nil {
		t.Fatal(err)
	}
	if err := c.Upload(at, host, stream); err == nil || !strings.Contains(err.Error(), "a stream that is being recorded does not take this call (CUDA error 900)") {
		t.Error(err)
	}
	g, err := c.EndCapture(stream)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read(), []byte{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("before it is run, memory is %v", got)
	}
	s.Reset()
	for range 2 {
		host[2]++
		if err := errors.Join(c.Upload(at, host, stream), c.LaunchGraph(g, stream)); err != nil {
			t.Fatal(err)
		}
		if got, want := read(), []byte{0, 0, host[2], 4, 5, 6, 7, 8, 1, 2, host[2], 4, 5, 6, 7, 8}; !slices.Equal(got, want) {
			t.Errorf("memory is %v, not %v", got, want)
		}
	}
	if n := strings.Count(s.Log(), "cuGraphLaunch"); n != 2 || strings.Contains(s.Log(), "cuMemsetD8Async") {
		t.Errorf("the driver was asked\n%s", s.Log())
	}
	event, err := c.NewEvent()
	if err := errors.Join(err, c.Record(event, stream), c.StreamWaitEvent(stream, event), c.FreeGraph(g), c.Free(at), c.Close()); err != nil {
		t.Error(err)
	}
}
