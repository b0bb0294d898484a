//go:build !unix

package store

import (
	"errors"
	"os"
)

// lockState is the result of asking for the lock of a temporary file.
type lockState int

const (
	lockTaken lockState = iota
	lockHeld
	lockUnavailable
)

// tryLock has no lock to give here: temporary files are never swept.
func tryLock(*os.File) lockState { return lockUnavailable }

// isUnsupported reports whether the file system cannot do what was asked.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission)
}
