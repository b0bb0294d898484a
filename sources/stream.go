package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"capgraph/store"
)

const (
	// bufferSize is how much of a file is read at once, in bytes.
	bufferSize = 256 << 10
	// maxWindow bounds the memory of a zstd decoder, in bytes.
	maxWindow = 128 << 20
	// remedyPlain is for a file of which no more is known.
	remedyPlain = "write the file anew"
)

var (
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// stream reads the bytes of a file one after another, decompressed where its
// content says that it is compressed.
type stream struct {
	*bufio.Reader
	in     *input
	file   *tracked
	closer func()
	// plain says that bytes of the file are bytes of the stream.
	plain bool
}

// tracked remembers the error of reading a file, which is then no fault of
// what the file holds.
type tracked struct {
	store.File
	err error
}

func (t *tracked) Read(p []byte) (int, error) {
	n, err := t.File.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// ReadAt remembers errors, as Read does.
func (t *tracked) ReadAt(b []byte, off int64) (int, error) {
	n, err := t.File.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// stream opens the file at the position that it was asked for, if the bytes
// say where that is, and else at its beginning.
func (in *input) stream() (*stream, error) {
	f, err := in.open()
	if err != nil {
		return nil, err
	}
	return in.streamOf(f)
}

// streamOf reads a file that is open, and closes it where that is an error.
func (in *input) streamOf(f store.File) (*stream, error) {
	s := &stream{in: in, file: &tracked{File: f}, closer: func() {}}
	if err := s.start(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *stream) start() error {
	raw := bufio.NewReaderSize(s.file, bufferSize)
	head, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return s.failed(err, Position{}, remedyPlain)
	}
	switch {
	case bytes.HasPrefix(head, magicGzip):
		z, err := gzip.NewReader(raw)
		if err != nil {
			return s.failed(err, Position{}, remedyPlain)
		}
		s.Reader = bufio.NewReaderSize(z, bufferSize)
	case bytes.HasPrefix(head, magicZstd), skippable(head):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return s.failed(err, Position{}, remedyPlain)
		}
		s.closer = z.Close
		s.Reader = bufio.NewReaderSize(z, bufferSize)
	default:
		s.plain = true
		s.Reader = raw
		if err := s.text(); err != nil {
			return err
		}
		return s.seek()
	}
	return s.text()
}

// foreign are forms of files that are no text and are not read as such, by their
// first bytes. A line of text can begin with none of them.
var foreign = []struct{ name, magic, remedy string }{
	{"Parquet", "PAR1\x15", "set source.format: parquet"},
	{"compressed with bzip2", "1AY&SY", remedyDecompress},
	{"compressed with xz", "\xfd7zXZ\x00", remedyDecompress},
	{"compressed with lz4", "\x04\x22\x4d\x18", remedyDecompress},
	{"a zip archive", "PK\x03\x04", "unpack it"},
	{"a 7-Zip archive", "7z\xbc\xaf\x27\x1c", "unpack it"},
	{"an Arrow file", "ARROW1\x00\x00", "write it as Parquet"},
}

const remedyDecompress = "decompress it, or compress it with gzip or zstd"

// text returns an error where what begins here is known to be no text.
func (s *stream) text() error {
	head, _ := s.Peek(16) // reading finds the error again
	if string(head[:min(3, len(head))]) == "BZh" {
		head = head[min(4, len(head)):] // the level stands between bzip2's marks
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return s.in.malformed(Position{Offset: -1}, fmt.Errorf("is %s and no text", f.name), f.remedy)
		}
	}
	return nil
}

// skippable says that head begins a zstd frame without content.
func skippable(head []byte) bool {
	return len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18})
}

func (s *stream) seek() error {
	if s.in.from.Offset <= 0 {
		return nil
	}
	if s.in.from.Offset > s.file.Size() {
		return s.in.malformed(s.in.from, errors.New("ends before the row that was indexed"),
			"bring the old file back, or index again into another folder")
	}
	if _, err := s.file.Seek(s.in.from.Offset, io.SeekStart); err != nil {
		return err
	}
	s.Reset(s.file)
	return nil
}

// failed says what an error of reading means: the file could not be read, or
// what it holds is malformed, with a remedy that a compressed file overrides.
func (s *stream) failed(err error, at Position, remedy string) error {
	if s.file.err != nil {
		return s.file.err
	}
	switch {
	case s.plain:
	case errors.Is(err, io.ErrUnexpectedEOF):
		remedy = "the compressed file is cut off: copy or download it again"
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		remedy = "compress it again without --long, or with --long=27 at most"
	default:
		remedy = "the compressed file is damaged: copy or download it again"
	}
	return s.in.malformed(at, err, remedy)
}

func (s *stream) close() error {
	s.closer()
	return s.file.Close()
}
