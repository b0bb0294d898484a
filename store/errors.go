package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// remedies maps errors of the operating system to remedies.
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
	{syscall.EXDEV, "the folder spans file systems: choose one on a single file system"},
	{fs.ErrPermission, "permission denied: check the owner and the mode of the file and its folder"},
	{fs.ErrNotExist, "no such file: check the path; relative paths start at the current folder"},
}

// explainError wraps err with the operation, the file and the remedy, unless it is already wrapped.
func explainError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	err = unwrapSystemError(err)
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			return fmt.Errorf("%s %s: %w (%s)", op, name, err, r.remedy)
		}
	}
	return fmt.Errorf("%s %s: %w", op, name, err)
}

// unwrapSystemError returns the cause of an error of package os, without its file names.
func unwrapSystemError(err error) error {
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

// fileErrors are the errors of the operating system that are about a file or its name. All others
// are about the environment.
var fileErrors = []syscall.Errno{
	syscall.ENOENT, syscall.EPERM, syscall.EACCES, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV,
}

// IsUnreachable reports whether a file could not be opened or read because of an error of the
// operating system or of another store. It says nothing about the content of the file.
func IsUnreachable(err error) bool {
	var own interface{ EnvironmentError() bool }
	var errno syscall.Errno
	return errors.As(err, &own) || errors.As(err, &errno) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// IsEnvironmentError reports whether err is caused by the environment and not by the file: a full
// disk, too many open files, a network file system that is down. Another file would have failed
// too, and this one may be readable later. Errors of other stores implement EnvironmentError()
// bool.
func IsEnvironmentError(err error) bool {
	var own interface{ EnvironmentError() bool }
	if errors.As(err, &own) {
		return own.EnvironmentError()
	}
	var errno syscall.Errno
	return errors.As(err, &errno) && !slices.Contains(fileErrors, errno)
}
