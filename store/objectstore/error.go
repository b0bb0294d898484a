package objectstore

import "fmt"

// Error is the error of an object store, or of reaching it. Its text has no credentials: neither
// URLs with queries nor headers.
type Error struct {
	op, name, cause, remedy string
	is                      error
	ofObject                bool
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s (%s)", e.op, e.name, e.cause, e.remedy)
}

// Unwrap returns fs.ErrNotExist, fs.ErrPermission, the error of a context or a system error number,
// if one of these is the cause.
func (e *Error) Unwrap() error { return e.is }

// EnvironmentError reports whether the store, the network or the credentials are at fault rather
// than the object, so that any other object would have failed too.
func (e *Error) EnvironmentError() bool { return !e.ofObject }
