package join

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"syscall"
)

// spill stores records in partitions, each in a temporary file.
type spill struct {
	parts   []*os.File
	writers []*bufio.Writer
}

// scratchFile returns a temporary file that disappears with the process.
func scratchFile() (*os.File, error) {
	f, err := os.CreateTemp("", ".tmp-capgraph-join-*")
	if err != nil {
		return nil, scratchError(err)
	}
	_ = os.Remove(f.Name()) // some systems refuse this for an open file
	return f, nil
}

func scratchError(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return fmt.Errorf("join opens up to %d files at a time in %s: %w (raise the limit: ulimit -n %d)", maxFiles, os.TempDir(), err, maxFiles+100)
	}
	return fmt.Errorf("a file in the folder of temporary files %s: %w (free some space there, or name another folder with TMPDIR)", os.TempDir(), err)
}

func newSpill(parts int) (*spill, error) {
	s := &spill{}
	for range parts {
		f, err := scratchFile()
		if err != nil {
			s.Close()
			return nil, err
		}
		s.parts, s.writers = append(s.parts, f), append(s.writers, bufio.NewWriterSize(f, 32<<10))
	}
	return s, nil
}

// addRecord appends a record to a partition.
func (s *spill) addRecord(part int, record []byte) error {
	var head [binary.MaxVarintLen64]byte
	w := s.writers[part]
	w.Write(head[:binary.PutUvarint(head[:], uint64(len(record)))])
	_, err := w.Write(record)
	return scratchError(err)
}

// readRecords yields the records of a partition in the order in which they were added. A record is valid
// until the next one.
func (s *spill) readRecords(part int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		err := s.writers[part].Flush()
		if err == nil {
			_, err = s.parts[part].Seek(0, io.SeekStart)
		}
		if err != nil {
			yield(nil, scratchError(err))
			return
		}
		r := bufio.NewReaderSize(s.parts[part], 64<<10)
		var record []byte
		for {
			n, err := binary.ReadUvarint(r)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil {
				record = append(record[:0], make([]byte, n)...)
				_, err = io.ReadFull(r, record)
			}
			if err != nil {
				yield(nil, scratchError(err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
	}
}

// Close closes and removes the files.
func (s *spill) Close() {
	for _, f := range s.parts {
		f.Close()
		_ = os.Remove(f.Name())
	}
}
