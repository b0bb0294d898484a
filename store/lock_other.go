//go:build !unix

package store

import (
	"errors"
	"os"
)

// lockState is the result of asking for the lock of a temporary file.
type lockState int

const (
	taken lockState = iota
	held
	unavailable
)

// lock has no lock to give here: temporary files are never swept.
func lock(*os.File) lockState { return unavailable }

// unsupported says that the file system cannot do what was asked.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission)
}
