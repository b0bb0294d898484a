//go:build !unix

package store

import (
	"errors"
	"os"
)

// lockState is the result of an attempt to lock a temporary file.
type lockState int

const (
	lockTaken lockState = iota
	lockHeld
	lockUnavailable
)

// tryLock does nothing, since there are no locks here. Temporary files are then never removed by Sweep.
func tryLock(*os.File) lockState { return lockUnavailable }

// isUnsupported reports whether the file system does not support an operation.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission)
}
