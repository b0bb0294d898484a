package metrics

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Board writes event files for TensorBoard: TFRecords of Event messages, with the fields of
// tensorflow/core/util/event.proto and summary.proto.
type Board struct {
	file *os.File
	out  *bufio.Writer
	when func() time.Time
	last time.Time // time of the last flush
}

// flushEvery is the maximum time between the writing of a record and the next flush.
const flushEvery = 2 * time.Second

// Field numbers of Event, Summary, Summary.Value and SessionLog.
const (
	eventWallTime, eventStep, eventFileVersion, eventSummary, eventSessionLog = 1, 2, 3, 5, 7

	summaryValue                  = 1
	valueTag, valueSimple         = 1, 2
	sessionStatus, sessionStarted = 1, 1
)

// OpenBoard creates an event file in a folder. If after is above 0, the file tells readers to
// ignore later steps in earlier files; otherwise it removes earlier files.
func OpenBoard(dir string, after int) (*Board, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if after <= 0 {
		earlier, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*.capgraph"))
		if err != nil {
			return nil, err
		}
		for _, name := range earlier {
			if err := os.Remove(name); err != nil {
				return nil, err
			}
		}
	}
	now := time.Now()
	name := fmt.Sprintf("events.out.tfevents.%010d.%09d.capgraph", now.Unix(), now.Nanosecond()) // TensorBoard reads files in the order of names
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	b := &Board{file: f, out: bufio.NewWriter(f), when: time.Now}
	first := protowire.AppendTag(b.newEvent(0), eventFileVersion, protowire.BytesType)
	err = b.writeRecord(protowire.AppendString(first, "brain.Event:2"))
	if err == nil && after > 0 {
		err = b.writeRestart(after + 1)
	}
	if err == nil {
		err = b.out.Flush()
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return b, nil
}

// writeRestart writes an event that tells readers to drop what they have read of a step and of
// later steps.
func (b *Board) writeRestart(step int) error {
	var session []byte
	session = protowire.AppendTag(session, sessionStatus, protowire.VarintType)
	session = protowire.AppendVarint(session, sessionStarted)
	event := protowire.AppendTag(b.newEvent(step), eventSessionLog, protowire.BytesType)
	return b.writeRecord(protowire.AppendBytes(event, session))
}

// Write appends a record, with each value as a scalar under its name.
func (b *Board) Write(r Record) error {
	var summary []byte
	for _, v := range r.Values {
		var value []byte
		value = protowire.AppendTag(value, valueTag, protowire.BytesType)
		value = protowire.AppendString(value, v.Name)
		value = protowire.AppendTag(value, valueSimple, protowire.Fixed32Type)
		value = protowire.AppendFixed32(value, math.Float32bits(float32(v.Number)))
		summary = protowire.AppendTag(summary, summaryValue, protowire.BytesType)
		summary = protowire.AppendBytes(summary, value)
	}
	event := protowire.AppendTag(b.newEvent(r.Step), eventSummary, protowire.BytesType)
	if err := b.writeRecord(protowire.AppendBytes(event, summary)); err != nil {
		return err
	}
	if now := b.when(); now.Sub(b.last) >= flushEvery {
		b.last = now
		return b.out.Flush()
	}
	return nil
}

// newEvent returns the beginning of an encoded Event, with the current time and a step.
func (b *Board) newEvent(step int) []byte {
	var event []byte
	event = protowire.AppendTag(event, eventWallTime, protowire.Fixed64Type)
	event = protowire.AppendFixed64(event, math.Float64bits(float64(b.when().UnixNano())/1e9))
	event = protowire.AppendTag(event, eventStep, protowire.VarintType)
	return protowire.AppendVarint(event, uint64(step))
}

// Sync flushes all written records to disk.
func (b *Board) Sync() error {
	if err := b.out.Flush(); err != nil {
		return err
	}
	return b.file.Sync()
}

// Close ends the file.
func (b *Board) Close() error {
	err := b.out.Flush()
	if closed := b.file.Close(); err == nil {
		err = closed
	}
	return err
}
