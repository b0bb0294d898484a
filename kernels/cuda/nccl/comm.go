//go:build cuda && linux && (amd64 || arm64)

package nccl

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/kernels/cuda/library"
)

// libraryFile is the file name of NCCL.
const libraryFile = "libnccl.so.2"

// Library is NCCL, opened.
type Library struct {
	library *library.Library

	version, uniqueID, abort, asyncError    uintptr
	reduce, broadcast, groupStart, groupEnd uintptr
	join                                    func(to *uintptr, world int32, id idByValue, rank int32) int32
}

// idByValue is an ID as a structure that a C function takes by value.
type idByValue struct{ of [len(ID{}) / 8]uint64 }

// Open opens the library, from folders or else from the loader's own folders.
func Open(folders []string) (*Library, error) {
	l, err := library.Open([]string{libraryFile}, folders)
	if err != nil {
		return nil, fmt.Errorf("no NCCL: %w; 'pip install nvidia-nccl-cu12' installs it", err)
	}
	n := &Library{library: l}
	var join uintptr
	if err := l.Bind(map[string]*uintptr{
		"ncclGetVersion": &n.version, "ncclGetUniqueId": &n.uniqueID, "ncclCommInitRank": &join,
		"ncclCommAbort": &n.abort, "ncclCommGetAsyncError": &n.asyncError, "ncclAllReduce": &n.reduce, "ncclBroadcast": &n.broadcast,
		"ncclGroupStart": &n.groupStart, "ncclGroupEnd": &n.groupEnd,
	}); err != nil {
		return nil, err
	}
	purego.RegisterFunc(&n.join, join)
	return n, nil
}

// call calls a function and returns its result as an error.
//
//go:uintptrescapes
func (l *Library) call(name string, function uintptr, arguments ...uintptr) error {
	code, _, _ := purego.SyscallN(function, arguments...)
	return l.checkResult(name, int32(code))
}

func (l *Library) checkResult(name string, code int32) error {
	if code == 0 {
		return nil
	}
	text, ok := resultTexts[code]
	if !ok {
		text = "an error that is not listed here"
	}
	return fmt.Errorf("%s: %s (NCCL result %d); NCCL_DEBUG=WARN says more", name, text, code)
}

// resultTexts has a message for each of the library's result codes.
var resultTexts = map[int32]string{
	1: "a call of CUDA failed", 2: "a call of the system failed", 3: "an error of its own", 4: "an argument is wrong: a mistake of capgraph, please report it",
	5: "it was used wrongly: a mistake of capgraph, please report it", 6: "another process failed, or the network to it", 7: "not yet done",
}

// Version returns 10000·major + 100·minor + patch.
func (l *Library) Version() (int, error) {
	var v int32
	err := l.call("ncclGetVersion", l.version, uintptr(unsafe.Pointer(&v)))
	return int(v), err
}

// Path returns the path of the library's file.
func (l *Library) Path() string { return l.library.Path() }

// NewID returns the ID of a new group.
func (l *Library) NewID() (id ID, err error) {
	err = l.call("ncclGetUniqueId", l.uniqueID, uintptr(unsafe.Pointer(&id)))
	return id, err
}

// Comm is this process's membership of a group, with the card whose context was current when it
// joined.
type Comm struct {
	l      *Library
	handle uintptr
}

// Join waits until world processes have joined the group, this one as rank.
func (l *Library) Join(id ID, rank, world int) (*Comm, error) {
	c := &Comm{l: l}
	code := l.join(&c.handle, int32(world), *(*idByValue)(unsafe.Pointer(&id)), int32(rank))
	if err := l.checkResult("ncclCommInitRank", code); err != nil {
		return nil, err
	}
	return c, nil
}

// The constants of nccl.h.
const (
	float32s = 7
	sum      = 0
)

// AllReduce replaces n float32 numbers at an address on every card by their sums over the cards, in
// a stream.
func (c *Comm) AllReduce(address uint64, n int, stream uintptr) error {
	return c.l.call("ncclAllReduce", c.l.reduce, uintptr(address), uintptr(address), uintptr(n), float32s, sum, c.handle, stream)
}

// AllGather fills parts on every rank: parts[r], of float32 numbers, is copied from rank r to all
// others, in a stream.
func (c *Comm) AllGather(parts []Part, stream uintptr) error {
	err := c.l.call("ncclGroupStart", c.l.groupStart)
	for rank, p := range parts {
		if err == nil && p.N > 0 {
			err = c.l.call("ncclBroadcast", c.l.broadcast, uintptr(p.Address), uintptr(p.Address), uintptr(p.N), float32s, uintptr(rank), c.handle, stream)
		}
	}
	return errors.Join(err, c.l.call("ncclGroupEnd", c.l.groupEnd))
}

// Err returns an error of an exchange in the background, such as a lost process.
func (c *Comm) Err() error {
	var code int32
	if err := c.l.call("ncclCommGetAsyncError", c.l.asyncError, c.handle, uintptr(unsafe.Pointer(&code))); err != nil {
		return err
	}
	return c.l.checkResult("an exchange between cards", code)
}

// Close leaves the group, and aborts unfinished exchanges.
func (c *Comm) Close() error { return c.l.call("ncclCommAbort", c.l.abort, c.handle) }
