//go:build cuda && linux && (amd64 || arm64)

// Package stub builds libraries that stand for CUDA's where there is no card: a
// libcuda that writes its calls down, a cuBLASLt whose products are loops, and an NCCL
// whose processes are threads. Tests
// of what calls them need a C compiler.
package stub

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
	// Folder is where they lie.
	Folder string

	// Log is all calls of libcuda since Reset, a line each.
	Log func() string
	// Reset forgets the calls, and what the others have set.
	Reset func()
	// Forget forgets the calls alone.
	Forget func()
	// Fail makes a call fail with a code.
	Fail func(call string, code int32)
	// Devices sets how many cards there are; those after the first are too old.
	Devices func(n int32)
	// Room sets how many bytes of memory can still be taken.
	Room func(bytes uint64)
	// Launcher is called for each launch that is done, with the address of the arguments'
	// addresses and the grid; what it returns is the driver's code. count says how many
	// arguments a kernel has.
	Launcher func(callback, count uintptr)
	// Heuristics is how often cuBLASLt was asked for an algorithm.
	Heuristics func() int32
	// Last is what the last of these wanted.
	Last func() string
	// NoBias makes cuBLASLt have no product with a bias.
	NoBias func(set int32)

	// Refuse makes NCCL say that another process failed.
	Refuse func(set int32)

	memory   func(i int32, at, bytes *uint64) int32
	recorder func(uintptr)
}

// Build compiles and opens the libraries, or skips the test where it cannot.
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
			"stub_log": &s.Log, "stub_reset": &s.Reset, "stub_forget": &s.Forget, "stub_fail": &s.Fail, "stub_devices": &s.Devices, "stub_room": &s.Room,
			"stub_launcher": &s.Launcher, "stub_memory": &s.memory,
		},
		exchangeFile: {"stub_refuse": &s.Refuse},
		productsFile: {"stub_heuristics": &s.Heuristics, "stub_last": &s.Last, "stub_no_bias": &s.NoBias, "stub_recorder": &s.recorder},
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

// Memory is all memory that is taken.
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

// Arguments are n arguments of a launch, of 8 bytes each.
func Arguments(at unsafe.Pointer, n int) []uint64 {
	words := make([]uint64, n)
	for i, p := range unsafe.Slice((**uint64)(at), n) {
		words[i] = *p
	}
	return words
}
