package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// remedies says what a person can do about an error of the operating system,
// and whether it is the machine's rather than the file's.
var remedies = []struct {
	err     error
	machine bool
	remedy  string
}{
	{syscall.ENOSPC, true, "the disk is full: free some space and run again; what is finished is kept"},
	{syscall.EDQUOT, true, "the quota is used up: free some space or ask for more, and run again; what is finished is kept"},
	{syscall.EFBIG, true, "the file is larger than the file system or a limit allows: raise the limit (ulimit -f), or choose another folder"},
	{syscall.EROFS, true, "the file system is read-only: choose another folder or mount it for writing"},
	{syscall.EMFILE, true, "too many open files: raise the limit (ulimit -n) or use fewer workers"},
	{syscall.ENFILE, true, "too many open files on this machine: close other programs or use fewer workers"},
	{syscall.ELOOP, false, "symbolic links lead in a circle: remove the loop"},
	{syscall.EISDIR, false, "it is a folder: name a file, or the files in it with a glob such as DIR/*"},
	{syscall.ENOTDIR, false, "a part of the path is a file, not a folder: check the path"},
	{syscall.ENAMETOOLONG, false, "the name is too long for the file system: choose a shorter one"},
	{syscall.ENOMEM, true, "the machine is out of memory: close other programs or use fewer workers"},
	{syscall.EIO, true, "the device failed: check its health (dmesg) and run again"},
	{syscall.ESTALE, true, "the network file system lost the file: mount it anew and run again"},
	{syscall.EXDEV, false, "the folder spans file systems: choose one that lies on a single file system"},
	{fs.ErrPermission, false, "permission denied: check the owner and the mode of the file and its folder"},
	{fs.ErrNotExist, false, "no such file: check the path; relative paths start at the current folder"},
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

// OfMachine tells whether err comes from the machine, such as a full disk or
// too many open files: another file would have met it too, and the same file
// may be read once it is mended.
func OfMachine(err error) bool {
	for _, r := range remedies {
		if r.machine && errors.Is(err, r.err) {
			return true
		}
	}
	return false
}
