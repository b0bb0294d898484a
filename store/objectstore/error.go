package objectstore

import "fmt"

// Error is a failure of an object store, or of the way to it. Its text has no credentials: neither
// addresses with their queries nor headers.
type Error struct {
	op, name, cause, remedy string
	is                      error
	ofObject                bool
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s (%s)", e.op, e.name, e.cause, e.remedy)
}

// Unwrap returns fs.ErrNotExist, fs.ErrPermission, the error of a context or an error number, if
// the cause is one.
func (e *Error) Unwrap() error { return e.is }

// EnvironmentError reports whether the store, the network or the credentials are at fault and not
// the object: another object would have failed too.
func (e *Error) EnvironmentError() bool { return !e.ofObject }
