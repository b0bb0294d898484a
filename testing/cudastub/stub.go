//go:build cuda && linux && (amd64 || arm64)

// Package cudastub builds stand-ins for the libraries of CUDA, for tests without a card: a
// libcuda that writes its calls down, a cuBLASLt whose products are loops, and an NCCL
// whose processes are threads. Tests
// of what calls them need a C compiler.
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

// Stub is the libraries, opened.
type Stub struct {
	// Folder has the libraries.
	Folder string

	// Log returns all calls of libcuda since Reset, one in each line.
	Log func() string
	// Reset forgets the calls, and all settings.
	Reset func()
	// ForgetCalls forgets the calls only.
	ForgetCalls func()
	// FailCall makes a call fail with a code.
	FailCall func(call string, code int32)
	// SetDevices sets how many cards there are; those after the first are too old.
	SetDevices func(n int32)
	// SetRoom sets how many bytes of memory can still be taken.
	SetRoom func(bytes uint64)
	// SetLauncher sets the function that is called for each launch, with the address of the
	// arguments' addresses and the grid. Its result is the driver's code. count returns how many
	// arguments a kernel has.
	SetLauncher func(callback, count uintptr)
	// HeuristicCount returns how often cuBLASLt was asked for an algorithm.
	HeuristicCount func() int32
	// LastHeuristic returns what the last of these asked for.
	LastHeuristic func() string
	// SetNoBias makes cuBLASLt have no product with a bias.
	SetNoBias func(set int32)

	// SetRefuse makes NCCL report that another process failed.
	SetRefuse func(set int32)

	memory   func(i int32, at, bytes *uint64) int32
	recorder func(uintptr)
}

// Build compiles and opens the libraries. It skips the test if there is no compiler.
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

// Compile compiles the libraries to a folder.
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

// Piece is memory of the stub's card or of its host.
type Piece struct{ Address, Bytes uint64 }

// Memory returns all memory that is taken.
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

// Arguments returns n arguments of a launch, of 8 bytes each.
func Arguments(at unsafe.Pointer, n int) []uint64 {
	words := make([]uint64, n)
	for i, p := range unsafe.Slice((**uint64)(at), n) {
		words[i] = *p
	}
	return words
}
