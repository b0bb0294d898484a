// Package metrics records a training: a JSON line for each step, event files for TensorBoard, and a progress display.
// [Log] writes the files, [Progress] the display; [Pace] measures speed.
package metrics

import (
	"errors"
	"path/filepath"
)

// Record has the values of a training step, or of an evaluation after it.
type Record struct {
	Step, Epoch int     // number of finished steps; epoch, from 0
	Samples     int64   // images seen so far
	Seconds     float64 // time of training so far
	Pace        Pace    // of the step; zero for an evaluation
	// loss, its components, lr and so on, in the order of the files
	Values []Value
}

// Loss is the Name of the value of the loss.
const Loss = "loss"

// Value is a named number, such as loss, lr or clip/i2t. Names are distinct within a record; those of components of the
// loss have a slash.
type Value struct {
	Name   string
	Number float64
}

// LinesFile is the name of the file that Lines writes in a training's folder.
const LinesFile = "metrics.jsonl"

// Log writes records to the files of a training's folder.
type Log struct {
	lines *Lines
	board *Board
}

// Open opens metrics.jsonl and tensorboard/ in a folder, to continue after step number after: records of later steps
// are removed. If after is 0, both are emptied.
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

// Write writes a record, unless it equals the last one in the opened files: a finished training that is started again
// evaluates its last step again.
func (l *Log) Write(r Record) error {
	if l.lines.isLastLine(r) {
		return nil
	}
	return errors.Join(l.lines.Write(r), l.board.Write(r))
}

// Sync flushes all written records to disk, as before a checkpoint.
func (l *Log) Sync() error { return errors.Join(l.lines.Sync(), l.board.Sync()) }

// Close ends the files.
func (l *Log) Close() error { return errors.Join(l.lines.Close(), l.board.Close()) }
