// Package metrics records a training: a JSON line for each step, event files for TensorBoard, and
// progress for people. [Log] writes the files, [Progress] the display; [Pace] measures speed.
package metrics

import (
	"errors"
	"path/filepath"
)

// Record has the figures of a step: of its training, or of an evaluation after it.
type Record struct {
	Step, Epoch int     // steps done, from 1; the epoch that they are in, from 0
	Samples     int64   // images seen so far
	Seconds     float64 // of training so far
	Pace        Pace    // of the step; none of an evaluation
	// loss, its components, lr and so on, in the order in which they are written
	Values []Value
}

// Loss is the name of the value that is minimised.
const Loss = "loss"

// Value is a number with its name, such as loss, lr or clip/i2t. Names are distinct within a record; components of the loss have a slash in their names.
type Value struct {
	Name   string
	Number float64
}

// LinesFile is the name of the file of Lines in a training's folder.
const LinesFile = "metrics.jsonl"

// Log writes records to the files of a training's folder.
type Log struct {
	lines *Lines
	board *Board
}

// Open opens metrics.jsonl and tensorboard/ in a folder, to continue after a step: records of later
// steps are removed. With 0, both are emptied.
func Open(dir string, after int) (*Log, error) {
	lines, err := OpenLines(filepath.Join(dir, LinesFile), after)
	if err != nil {
		return nil, err
	}
	board, err := OpenBoard(filepath.Join(dir, "tensorboard"), after)
	if err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	return &Log{lines, board}, nil
}

// Write writes a record, unless it was the last when the files were opened: a training that has nothing
// left to do measures its last step again.
func (l *Log) Write(r Record) error {
	if l.lines.isThere(r) {
		return nil
	}
	return errors.Join(l.lines.Write(r), l.board.Write(r))
}

// Sync makes what was written durable, as before a checkpoint.
func (l *Log) Sync() error { return errors.Join(l.lines.Sync(), l.board.Sync()) }

// Close ends the files.
func (l *Log) Close() error { return errors.Join(l.lines.Close(), l.board.Close()) }
