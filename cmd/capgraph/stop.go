package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"capgraph/store"
	"capgraph/train"
)

// A program that is told to stop has this long to drop what it has in hand: grace
// where it goes on from what is finished or others wait for it, else soon.
const (
	grace = 4 * time.Second
	soon  = 500 * time.Millisecond
)

// stopper is a command that does not go on where it was stopped. It says what
// became of its output.
type stopper interface{ stopped() error }

// whenStopped is how long a command may take to end, and what it says then.
func whenStopped(command any) (time.Duration, error) {
	switch c := command.(type) {
	case *runCmd:
		return grace, errStopped
	case *trainCommand: // it ends the step that it is in and writes a checkpoint
		return math.MaxInt64, train.ErrStopped
	case stopper:
		return soon, c.stopped()
	}
	return grace, errors.New("stopped before the end")
}

// exitSoon ends the program where the command does not: what is half done is
// nowhere taken for whole, so that it may.
func exitSoon(command any, ended <-chan struct{}, w io.Writer) {
	patience, _ := whenStopped(command)
	select {
	case <-ended:
	case <-time.After(patience):
		_, err := whenStopped(command)
		os.Exit(exitCodeOf(err, w))
	}
}

// orStopped is the error of a command; where that is only that it was told to
// stop, what the command says of it.
func orStopped(ctx context.Context, command any, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		_, err = whenStopped(command)
	}
	return err
}

// stoppedBefore says of an output, a file or a folder, what is there of it.
func stoppedBefore(output string) error {
	path, isLocal := store.LocalPath(output)
	if !isLocal {
		return fmt.Errorf("stopped before the end; what there is of %s is a part: remove it before the same command", output)
	}
	if infos, err := (store.Local{}).List(path); err == nil && len(infos) > 0 {
		return fmt.Errorf("stopped before the end; %s holds a part: remove it before the same command", output)
	}
	return fmt.Errorf("stopped before the end; %s was not written", output)
}
