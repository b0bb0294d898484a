//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lockState is the result of an attempt to lock a temporary file.
type lockState int

const (
	lockTaken       lockState = iota // now held by this open file, until it is closed
	lockHeld                         // by another open file of a living process
	lockUnavailable                  // the file system has no locks
)

// tryLock tries to lock f exclusively. It does not wait.
func tryLock(f *os.File) lockState {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return lockTaken
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return lockHeld
		default:
			return lockUnavailable
		}
	}
}

// isUnsupported reports whether err means that the file system does not support an operation.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL)
}
