//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lockState is what came of asking for the lock of a temporary file.
type lockState int

const (
	taken       lockState = iota // by this open file, until it is closed
	held                         // by another open file of a living process
	unavailable                  // the file system has no locks
)

// lock asks for the exclusive lock of f and does not wait.
func lock(f *os.File) lockState {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return taken
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return held
		default:
			return unavailable
		}
	}
}

// unsupported says that the file system cannot do what was asked.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL)
}
