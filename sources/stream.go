package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"capgraph/schemas"
	"capgraph/store"
)

const (
	// bufferSize is how many bytes of a file are read at once.
	bufferSize = 256 << 10
	// maxWindow bounds the memory of a zstd decoder, in bytes.
	maxWindow = 128 << 20
	// remedyPlain is the remedy for faults without a better one.
	remedyPlain = "write the file anew"
)

var (
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// byteStream reads a file from a position on and decompresses it if necessary.
type byteStream struct {
	*bufio.Reader
	in     *input
	file   *trackedFile
	closer func()
	// uncompressed is set if offsets in the stream equal offsets in the file.
	uncompressed bool
}

// trackedFile records errors of reading a file, so that they can be told from faults of its content.
type trackedFile struct {
	store.File
	err error
}

func (t *trackedFile) Read(p []byte) (int, error) {
	n, err := t.File.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// ReadAt remembers errors, as Read does.
func (t *trackedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := t.File.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// openStream opens the file at the position to start from if its offset is known, else at its
// beginning.
func (in *input) openStream() (*byteStream, error) {
	f, err := in.openFile()
	if err != nil {
		return nil, err
	}
	return in.newStream(f)
}

// newStream returns a stream of an open file. If that fails, it closes the file.
func (in *input) newStream(f store.File) (*byteStream, error) {
	s := &byteStream{in: in, file: &trackedFile{File: f}, closer: func() {}}
	if err := s.openDecoder(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *byteStream) openDecoder() error {
	raw := bufio.NewReaderSize(s.file, bufferSize)
	head, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return s.readError(err, schemas.Position{}, remedyPlain)
	}
	switch {
	case bytes.HasPrefix(head, magicGzip):
		z, err := gzip.NewReader(raw)
		if err != nil {
			return s.readError(err, schemas.Position{}, remedyPlain)
		}
		s.Reader = bufio.NewReaderSize(z, bufferSize)
	case bytes.HasPrefix(head, magicZstd), isSkippableFrame(head):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return s.readError(err, schemas.Position{}, remedyPlain)
		}
		s.closer = z.Close
		s.Reader = bufio.NewReaderSize(z, bufferSize)
	default:
		s.uncompressed = true
		s.Reader = raw
		if err := s.checkIsText(); err != nil {
			return err
		}
		return s.seekToStart()
	}
	return s.checkIsText()
}

// otherFormats are formats other than text, with the bytes that they begin with. No text begins
// with these.
var otherFormats = []struct{ name, magic, remedy string }{
	{"Parquet", "PAR1\x15", "set source.format: parquet"},
	{"encrypted Parquet", "PARE", "decrypt it, and set source.format: parquet"},
	{"compressed with bzip2", "1AY&SY", remedyDecompress},
	{"compressed with xz", "\xfd7zXZ\x00", remedyDecompress},
	{"compressed with lz4", "\x04\x22\x4d\x18", remedyDecompress},
	{"a zip archive", "PK\x03\x04", "unpack it"},
	{"a 7-Zip archive", "7z\xbc\xaf\x27\x1c", "unpack it"},
	{"an Arrow file", "ARROW1\x00\x00", "write it as Parquet"},
}

const remedyDecompress = "decompress it, or compress it with gzip or zstd"

// checkIsText returns an error if the stream has the first bytes of a format other than text.
func (s *byteStream) checkIsText() error {
	head, _ := s.Peek(16) // reading will return the error again
	if string(head[:min(3, len(head))]) == "BZh" {
		head = head[min(4, len(head)):] // skip bzip2's magic bytes and level
	}
	for _, f := range otherFormats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return s.in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("is %s and no text", f.name), f.remedy)
		}
	}
	return nil
}

// isSkippableFrame reports whether head is the beginning of a zstd frame without content.
func isSkippableFrame(head []byte) bool {
	return len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18})
}

func (s *byteStream) seekToStart() error {
	if s.in.from.Offset <= 0 {
		return nil
	}
	if s.in.from.Offset > s.file.Size() {
		return s.in.malformedError(s.in.from, errors.New("ends before the row that was indexed"),
			"bring the old file back, or index again into another folder")
	}
	if _, err := s.file.Seek(s.in.from.Offset, io.SeekStart); err != nil {
		return err
	}
	s.Reset(s.file)
	return nil
}

// readError returns the error for a failed read: that the file cannot be read, or that its content
// is malformed. For a compressed file, remedy is replaced by one about compression.
func (s *byteStream) readError(err error, at schemas.Position, remedy string) error {
	if s.file.err != nil {
		return s.file.err
	}
	switch {
	case s.uncompressed:
	case errors.Is(err, io.ErrUnexpectedEOF):
		remedy = "the compressed file is cut off: copy or download it again"
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		remedy = "compress it again without --long, or with --long=27 at most"
	default:
		remedy = "the compressed file is damaged: copy or download it again"
	}
	return s.in.malformedError(at, err, remedy)
}

func (s *byteStream) close() error {
	s.closer()
	return s.file.Close()
}
