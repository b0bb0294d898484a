package metrics

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// maxLine is the maximum length of a line that is read back.
const maxLine = 1 << 20

// Lines writes metrics.jsonl, with a JSON object on each line. Lines are appended in place, so that
// the file can be watched; it is on a local disk and not in an object store.
type Lines struct {
	file *os.File
	line []byte
	last []byte // the last line of the opened file; nil after a Write
}

// OpenLines opens or creates the file at path. It removes lines of steps above after, and an
// incomplete last line.
func OpenLines(path string, after int) (*Lines, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	end, last, err := findEnd(f, after)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Lines{file: f, last: last}, nil
}

// findEnd returns the end of the lines of steps up to after, and the last of these lines.
func findEnd(r io.Reader, after int) (end int64, last []byte, err error) {
	if after <= 0 {
		return 0, nil, nil
	}
	in := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return end, last, nil // the last line is incomplete
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return 0, nil, fmt.Errorf("line %d has more than %d bytes: move the file away", n, maxLine)
		}
		if err != nil {
			return 0, nil, err
		}
		var at struct {
			Step *int `json:"step"`
		}
		if err := json.Unmarshal(line, &at); err != nil || at.Step == nil {
			return 0, nil, fmt.Errorf("line %d is not a JSON object with a step: correct it, or move the file away", n)
		}
		if *at.Step > after {
			return end, last, nil
		}
		end, last = end+int64(len(line)), append(last[:0], line...)
	}
}

// Write appends a record. A number that JSON cannot express is null.
func (l *Lines) Write(r Record) error {
	if err := l.formatLine(r); err != nil {
		return err
	}
	l.last = nil
	_, err := l.file.Write(l.line)
	return err
}

// isLastLine reports whether a record equals the last line of the opened file.
func (l *Lines) isLastLine(r Record) bool {
	return l.last != nil && l.formatLine(r) == nil && bytes.Equal(l.line, l.last)
}

// formatLine sets l.line to the line of a record.
func (l *Lines) formatLine(r Record) error {
	b := append(l.line[:0], `{"step":`...)
	b = strconv.AppendInt(b, int64(r.Step), 10)
	b = strconv.AppendInt(append(b, `,"epoch":`...), int64(r.Epoch), 10)
	b = strconv.AppendInt(append(b, `,"samples":`...), r.Samples, 10)
	b = appendNumber(append(b, `,"seconds":`...), math.Round(r.Seconds*1e6)/1e6)
	for _, v := range r.Values {
		name, err := json.Marshal(v.Name)
		if err != nil {
			return err
		}
		b = append(append(append(b, ','), name...), ':')
		b = appendNumber(b, v.Number)
	}
	l.line = append(b, '}', '\n')
	return nil
}

func appendNumber(b []byte, x float64) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// Sync flushes all written lines to disk.
func (l *Lines) Sync() error { return l.file.Sync() }

// Close ends the file.
func (l *Lines) Close() error { return l.file.Close() }
