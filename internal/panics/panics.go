// Package panics passes a panic from a goroutine to the one that waits for it. If it is recovered
// there, only the requested work fails, not the program.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// carried is the value of a panic with the stack where it happened.
type carried struct {
	value any
	stack []byte
}

func (c *carried) Error() string { return fmt.Sprintf("%v\n%s", c.value, c.stack) }

// Catch must be deferred. It stores a panic of the calling function in err.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *carried:
		*err = p
	default:
		*err = &carried{p, debug.Stack()}
	}
}

// Rethrow panics again if err is a panic that Catch stored.
func Rethrow(err error) {
	var c *carried
	if errors.As(err, &c) {
		panic(c)
	}
}
