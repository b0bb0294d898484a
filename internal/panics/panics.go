// Package panics carries a panic from a goroutine to the one that waits for it:
// where it is recovered there, it fails the work that was asked for, and not the
// program.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// carried is a panic and where it was.
type carried struct {
	value any
	stack []byte
}

func (c *carried) Error() string { return fmt.Sprintf("%v\n%s", c.value, c.stack) }

// Catch, deferred, makes a panic of the function an error.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *carried:
		*err = p
	default:
		*err = &carried{p, debug.Stack()}
	}
}

// Pass panics with what Catch made an error of.
func Pass(err error) {
	var c *carried
	if errors.As(err, &c) {
		panic(c)
	}
}
