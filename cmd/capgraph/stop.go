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

// The time that a command has to end after a signal: grace if it can resume from finished work or
// others wait for it, else shortGrace.
const (
	grace      = 4 * time.Second
	shortGrace = 500 * time.Millisecond
)

// interruptible is a command that cannot resume. Its stopError says in what state its output is.
type interruptible interface{ stopError() error }

// stopPolicy returns how long a command may take to end after a signal, and its error then.
func stopPolicy(command any) (time.Duration, error) {
	switch c := command.(type) {
	case *runCommand:
		return grace, errStopped
	case *trainCommand:
		if !c.training.Load() {
			return grace, errors.New("stopped before the training began")
		}
		return math.MaxInt64, train.ErrStopped // it finishes its step and writes a checkpoint
	case interruptible:
		return shortGrace, c.stopError()
	}
	return grace, errors.New("stopped before the end")
}

// exitAfterGrace exits if the command does not end in time. That is safe: partial output is never
// taken for complete output.
func exitAfterGrace(command any, ended <-chan struct{}, w io.Writer) {
	patience, _ := stopPolicy(command)
	select {
	case <-ended:
	case <-time.After(patience):
		_, err := stopPolicy(command)
		os.Exit(exitCodeOf(err, w))
	}
}

// explainStop returns err, or the command's own error for a stop if err only says that it was
// cancelled.
func explainStop(ctx context.Context, command any, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		_, err = stopPolicy(command)
	}
	return err
}

// partialOutputError returns the error of a stopped command. It says whether a part of its output, a
// file or a folder, exists.
func partialOutputError(output string) error {
	path, isLocal := store.LocalPath(output)
	if !isLocal {
		return fmt.Errorf("stopped before the end; %s may be incomplete: remove it, then run the same command again", output)
	}
	if infos, err := (store.Local{}).List(path); err == nil && len(infos) > 0 {
		return fmt.Errorf("stopped before the end; %s is incomplete: remove it, then run the same command again", output)
	}
	return fmt.Errorf("stopped before the end; %s was not written", output)
}
