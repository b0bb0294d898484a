// Package usage has the error of a mistake of who called: exit code 2.
package usage

import "fmt"

// Error is a mistake of who called: a setting or a flag.
type Error struct{ Text string }

// Errorf is an Error with that text; it wraps nothing.
func Errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

func (e *Error) Error() string { return e.Text }

// ExitCode is that of a wrong usage.
func (e *Error) ExitCode() int { return 2 }
