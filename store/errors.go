package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// remedies says what a person can do about an error of the operating system.
var remedies = []struct {
	err    error
	remedy string
}{
	{syscall.ENOSPC, "the disk is full: free some space and run again; what is finished is kept"},
	{syscall.EDQUOT, "the quota is used up: free some space or ask for more, and run again; what is finished is kept"},
	{syscall.EFBIG, "the file is larger than the file system or a limit allows: raise the limit (ulimit -f), or choose another folder"},
	{syscall.EROFS, "the file system is read-only: choose another folder or mount it for writing"},
	{syscall.EMFILE, "too many open files: raise the limit (ulimit -n) or use fewer workers"},
	{syscall.ENFILE, "too many open files on this machine: close other programs or use fewer workers"},
	{syscall.ELOOP, "symbolic links lead in a circle: remove the loop"},
	{syscall.EISDIR, "it is a folder: name a file, or the files in it with a glob such as DIR/*"},
	{syscall.ENOTDIR, "a part of the path is a file, not a folder: check the path"},
	{syscall.ENAMETOOLONG, "the name is too long for the file system: choose a shorter one"},
	{syscall.ENOMEM, "the machine is out of memory: close other programs or use fewer workers"},
	{syscall.EIO, "the device failed: check its health (dmesg) and run again"},
	{syscall.ETIMEDOUT, "the network file system did not answer: see that its server is there and run again"},
	{syscall.ECONNRESET, "the network file system lost its connection: see that its server is there and run again"},
	{syscall.ENOTCONN, "the network file system is not connected: mount it anew and run again"},
	{syscall.EHOSTDOWN, "the server of the network file system is down: see that it is there and run again"},
	{errRemoteIO, "the device of the server failed: check its health and run again"},
	{syscall.ESTALE, "the network file system lost the file: mount it anew and run again"},
	{syscall.EXDEV, "the folder spans file systems: choose one that lies on a single file system"},
	{fs.ErrPermission, "permission denied: check the owner and the mode of the file and its folder"},
	{fs.ErrNotExist, "no such file: check the path; relative paths start at the current folder"},
}

// explain wraps err with what was done to which file and the remedy, once.
func explain(op, name string, err error) error {
	if err == nil {
		return nil
	}
	err = bare(err)
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			return fmt.Errorf("%s %s: %w (%s)", op, name, err, r.remedy)
		}
	}
	return fmt.Errorf("%s %s: %w", op, name, err)
}

// bare takes the names off an error of the operating system.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

// ofFile are the errors of the operating system that tell of a file or of its name.
// Whatever other there is, is the machine's.
var ofFile = []syscall.Errno{
	syscall.ENOENT, syscall.EPERM, syscall.EACCES, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
}

// Unreachable reports whether err tells that a file cannot be reached or read, and nothing of
// what it holds: an error of the operating system, or of another kind of store.
func Unreachable(err error) bool {
	var own interface{ OfMachine() bool }
	var errno syscall.Errno
	return errors.As(err, &own) || errors.As(err, &errno) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// OfMachine tells whether err comes from the machine, such as a full disk, too
// many open files or a network file system that does not answer: another file would
// have met it too, and the same file may be read once it is mended. An error of
// another kind of store tells of itself, by a method OfMachine.
func OfMachine(err error) bool {
	var own interface{ OfMachine() bool }
	if errors.As(err, &own) {
		return own.OfMachine()
	}
	var errno syscall.Errno
	return errors.As(err, &errno) && !slices.Contains(ofFile, errno)
}
