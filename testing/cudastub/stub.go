//go:build cuda && linux && (amd64 || arm64)

// Package cudastub builds stand-ins for the libraries of CUDA, for tests without a GPU: a libcuda
// that logs its calls, a cuBLASLt that multiplies in loops, and an NCCL whose processes are
// threads. Tests that use it need a C compiler.
package cudastub

import (
	"embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

//go:embed c
var sources embed.FS

// Stub is the opened libraries.
type Stub struct {
	// Folder is the folder with the libraries.
	Folder string

	// Log returns the calls of libcuda since Reset, one per line.
	Log func() string
	// Reset forgets the calls and all settings.
	Reset func()
	// ForgetCalls forgets only the calls.
	ForgetCalls func()
	// FailCall makes the next calls of a function fail with a code.
	FailCall func(call string, code int32)
	// SetDevices sets the number of GPUs. All after the first are too old to be used.
	SetDevices func(n int32)
	// SetRoom sets how many bytes of memory can still be allocated.
	SetRoom func(bytes uint64)
	// SetLauncher sets the function that is called for each launch with the grid and the address of
	// the table of the arguments' addresses. It returns the driver's error code. count returns the
	// number of arguments of a kernel.
	SetLauncher func(callback, count uintptr)
	// HeuristicCount returns how often cuBLASLt was asked for an algorithm.
	HeuristicCount func() int32
	// LastHeuristic returns what the last of these calls asked for.
	LastHeuristic func() string
	// SetNoBias makes cuBLASLt refuse products with a bias.
	SetNoBias func(set int32)

	// SetRefuse makes NCCL report that another process failed.
	SetRefuse func(set int32)

	memory   func(i int32, at, bytes *uint64) int32
	recorder func(uintptr)
}

// Build compiles the libraries and opens them. It skips the test if there is no compiler.
func Build(t testing.TB) *Stub {
	t.Helper()
	folder := os.Getenv("CAPGRAPH_STUB")
	if folder == "" {
		folder = t.TempDir()
		if err := Compile(folder); errors.Is(err, exec.ErrNotFound) {
			t.Skip("there is no C compiler: ", err)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	s := &Stub{Folder: folder}
	handles := map[string]uintptr{}
	for name, functions := range map[string]map[string]any{
		driverFile: {
			"stub_log": &s.Log, "stub_reset": &s.Reset, "stub_forget": &s.ForgetCalls, "stub_fail": &s.FailCall, "stub_devices": &s.SetDevices, "stub_room": &s.SetRoom,
			"stub_launcher": &s.SetLauncher, "stub_memory": &s.memory,
		},
		exchangeFile: {"stub_refuse": &s.SetRefuse},
		productsFile: {"stub_heuristics": &s.HeuristicCount, "stub_last": &s.LastHeuristic, "stub_no_bias": &s.SetNoBias, "stub_recorder": &s.recorder},
	} {
		handle, err := purego.Dlopen(filepath.Join(folder, name), purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			t.Fatal(err)
		}
		handles[name] = handle
		for symbol, to := range functions {
			purego.RegisterLibFunc(to, handle, symbol)
		}
	}
	recorder, err := purego.Dlsym(handles[driverFile], "stub_record")
	if err != nil {
		t.Fatal(err)
	}
	s.recorder(recorder)
	s.Reset()
	return s
}

const (
	driverFile   = "libcuda.so.1"
	productsFile = "libcublasLt.so.12"
	exchangeFile = "libnccl.so.2"
)

// Compile compiles the libraries into a folder.
func Compile(folder string) error {
	for name, source := range map[string]string{driverFile: "c/cuda.c", productsFile: "c/cublaslt.c", exchangeFile: "c/nccl.c"} {
		text, err := sources.ReadFile(source)
		if err != nil {
			return err
		}
		command := exec.Command("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wl,-soname,"+name, "-x", "c", "-", "-o", filepath.Join(folder, name))
		command.Stdin = strings.NewReader(string(text))
		if out, err := command.CombinedOutput(); err != nil {
			return errors.Join(err, errors.New(string(out)))
		}
	}
	return nil
}

// Piece is a block of memory on the stub's GPU or its host.
type Piece struct{ Address, Bytes uint64 }

// Memory returns all allocated memory.
func (s *Stub) Memory() []Piece {
	var all []Piece
	for i := int32(0); ; i++ {
		var p Piece
		if s.memory(i, &p.Address, &p.Bytes) == 0 {
			return all
		}
		if p.Address != 0 {
			all = append(all, p)
		}
	}
}

// Arguments returns the n arguments of a launch, 8 bytes each.
func Arguments(at unsafe.Pointer, n int) []uint64 {
	words := make([]uint64, n)
	for i, p := range unsafe.Slice((**uint64)(at), n) {
		words[i] = *p
	}
	return words
}
