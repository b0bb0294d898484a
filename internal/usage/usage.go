// Package usage has the error of wrong usage: of a flag or a setting. Its exit code is 2.
package usage

import "fmt"

// Error is the error of a wrong flag or setting.
type Error struct{ Text string }

// Errorf returns an *Error. It does not wrap errors.
func Errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

func (e *Error) Error() string { return e.Text }

// ExitCode returns the exit code for wrong usage.
func (e *Error) ExitCode() int { return 2 }
