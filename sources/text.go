package sources

import (
	"errors"
	"io"

	"capgraph/store"
)

// textFile is a file that is read as text from its beginning to its end.
type textFile struct{ lines *lines }

// OpenText opens a file of text as the text formats are opened: decompressed
// where it is gzip or zstd, without a byte order mark, and refused where it is
// UTF-16 or no text. Its errors name the file.
func OpenText(s store.Store, name string) (io.ReadCloser, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	in := &input{store: s, file: File{Path: name, Size: f.Size()}}
	t, err := in.streamOf(f)
	if err != nil {
		return nil, err
	}
	l := &lines{stream: t}
	if err := l.begin(); err != nil {
		t.close()
		return nil, err
	}
	return textFile{l}, nil
}

// Read implements io.Reader.
func (t textFile) Read(p []byte) (int, error) {
	n, err := t.lines.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = t.lines.failed(err, Position{Offset: -1}, remedyPlain)
	}
	return n, err
}

// Close implements io.Closer.
func (t textFile) Close() error { return t.lines.close() }
