//go:build cuda && linux && (amd64 || arm64)

package nccl

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/kernels/cuda/library"
)

// file is what the library is called.
const file = "libnccl.so.2"

// Library is NCCL, opened.
type Library struct {
	library *library.Library

	version, uniqueID, abort, asyncError    uintptr
	reduce, broadcast, groupStart, groupEnd uintptr
	join                                    func(to *uintptr, world int32, id idByValue, rank int32) int32
}

// idByValue is an ID as C hands it on: a structure.
type idByValue struct{ of [len(ID{}) / 8]uint64 }

// Open opens the library in folders, else where the loader looks.
func Open(folders []string) (*Library, error) {
	l, err := library.Open([]string{file}, folders)
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

// call makes an error of a result.
//
//go:uintptrescapes
func (l *Library) call(name string, function uintptr, arguments ...uintptr) error {
	code, _, _ := purego.SyscallN(function, arguments...)
	return l.check(name, int32(code))
}

func (l *Library) check(name string, code int32) error {
	if code == 0 {
		return nil
	}
	text, ok := results[code]
	if !ok {
		text = "an error that is not listed here"
	}
	return fmt.Errorf("%s: %s (NCCL result %d); NCCL_DEBUG=WARN says more", name, text, code)
}

// results are what the library returns.
var results = map[int32]string{
	1: "a call of CUDA failed", 2: "a call of the system failed", 3: "an error of its own", 4: "an argument is wrong: a mistake of capgraph, please report it",
	5: "it was used wrongly: a mistake of capgraph, please report it", 6: "another process failed, or the network to it", 7: "not yet done",
}

// Version is the library's: 10000·major + 100·minor + patch.
func (l *Library) Version() (int, error) {
	var v int32
	err := l.call("ncclGetVersion", l.version, uintptr(unsafe.Pointer(&v)))
	return int(v), err
}

// Path is the file that the library is.
func (l *Library) Path() string { return l.library.Path() }

// NewID makes the ID of a group.
func (l *Library) NewID() (id ID, err error) {
	err = l.call("ncclGetUniqueId", l.uniqueID, uintptr(unsafe.Pointer(&id)))
	return id, err
}

// Comm is one process of a group, with the card whose context is current.
type Comm struct {
	l      *Library
	handle uintptr
}

// Join waits until world processes have joined the group, of which this is that of
// the rank.
func (l *Library) Join(id ID, rank, world int) (*Comm, error) {
	c := &Comm{l: l}
	code := l.join(&c.handle, int32(world), *(*idByValue)(unsafe.Pointer(&id)), int32(rank))
	if err := l.check("ncclCommInitRank", code); err != nil {
		return nil, err
	}
	return c, nil
}

// The numbers of nccl.h.
const (
	float32s = 7
	sum      = 0
)

// Sum makes n numbers of float32 on every card their sum over the cards, in a stream.
func (c *Comm) Sum(address uint64, n int, stream uintptr) error {
	return c.l.call("ncclAllReduce", c.l.reduce, uintptr(address), uintptr(address), uintptr(n), float32s, sum, c.handle, stream)
}

// Share gives parts to all: part r, of so many numbers of float32, lies with rank r
// before, and with every rank afterwards.
func (c *Comm) Share(parts []Part, stream uintptr) error {
	err := c.l.call("ncclGroupStart", c.l.groupStart)
	for rank, p := range parts {
		if err == nil && p.N > 0 {
			err = c.l.call("ncclBroadcast", c.l.broadcast, uintptr(p.Address), uintptr(p.Address), uintptr(p.N), float32s, uintptr(rank), c.handle, stream)
		}
	}
	return errors.Join(err, c.l.call("ncclGroupEnd", c.l.groupEnd))
}

// Err is what went wrong behind the calls, such as a process that is gone.
func (c *Comm) Err() error {
	var code int32
	if err := c.l.call("ncclCommGetAsyncError", c.l.asyncError, c.handle, uintptr(unsafe.Pointer(&code))); err != nil {
		return err
	}
	return c.l.check("an exchange between cards", code)
}

// Close leaves the group; what goes on is given up.
func (c *Comm) Close() error { return c.l.call("ncclCommAbort", c.l.abort, c.handle) }
