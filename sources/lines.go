package sources

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"capgraph/schemas"
	"capgraph/store"
)

// MaxLine is the greatest length of a line or a text in bytes. Longer ones are rejected.
const MaxLine = 1 << 20

// MaxName is the greatest length of a key, an image key or an image (a URL or a path) in bytes.
const MaxName = 8 << 10

// MaxRow is the greatest size of a row with its kept columns and its graph, in bytes.
const MaxRow = 8 << 20

var byteOrderMark = []byte{0xef, 0xbb, 0xbf}

// lineReader reads a stream line by line.
type lineReader struct {
	*byteStream
	pos  schemas.Position // Offset counts decompressed bytes
	long []byte           // memory for a line that exceeds the buffer
}

// openLines opens the file at the line to start from if its offset is known, else at the first
// line.
func (in *input) openLines() (*lineReader, error) {
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	l := &lineReader{byteStream: s}
	if err := s.decodeText(); err != nil {
		s.close()
		return nil, err
	}
	if s.uncompressed && in.from.Offset > 0 {
		l.pos = in.from
		if err := l.checkLineStart(); err != nil {
			s.close()
			return nil, err
		}
		return l, nil
	}
	if err := l.skipByteOrderMark(); err != nil {
		s.close()
		return nil, err
	}
	return l, nil
}

// checkLineStart returns an error if no line begins at the offset to start from.
func (l *lineReader) checkLineStart() error {
	if l.pos.Row == 0 || l.pos.Offset == l.file.Size() {
		return nil
	}
	var before [1]byte
	if _, err := l.file.ReadAt(before[:], l.pos.Offset-1); err != nil {
		return l.readError(err, l.pos, remedyPlain)
	}
	if before[0] != '\n' {
		return l.in.malformedError(l.pos, errors.New("no line begins where one was indexed"),
			"bring the old file back, or index again into another folder")
	}
	return nil
}

// tarMark is the offset of the magic bytes of a tar.
const tarMark = 257

// skipByteOrderMark skips a byte order mark. It returns an error for UTF-16 and for tars.
func (l *lineReader) skipByteOrderMark() error {
	head, err := l.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return l.readError(err, l.pos, remedyPlain)
	}
	if bytes.Equal(head, byteOrderMark) {
		l.Discard(3)
		l.pos.Offset = 3
	}
	window, _ := l.Peek(zeroWindow)
	if len(window) > tarMark && bytes.HasPrefix(window[tarMark:], []byte("ustar")) {
		return l.in.malformedError(schemas.Position{Offset: -1}, errors.New("is a tar and no text"), "set source.format: webdataset, or unpack it")
	}
	if strings.HasPrefix(encodingOf(string(window)), "utf-16") {
		return l.in.malformedError(schemas.Position{Offset: 0}, errors.New("is UTF-16"), "set source.encoding: utf-16le, or utf-16be, or convert it: iconv -f UTF-16 -t UTF-8")
	}
	return nil
}

// readLine returns the next line without its end. If it is longer than MaxLine, long is set and
// line is its beginning. The line is valid until the next call.
func (l *lineReader) readLine() (line []byte, long bool, err error) {
	line, err = l.ReadSlice('\n')
	l.pos.Offset += int64(len(line))
	if errors.Is(err, bufio.ErrBufferFull) {
		line, long, err = l.readLongLine(line)
	}
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		return nil, false, io.EOF
	}
	if err != nil {
		return nil, false, l.readError(err, l.pos, remedyPlain)
	}
	l.pos.Row++
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), long, nil
}

// readLongLine returns a line that exceeds the buffer, cut off after MaxLine bytes.
func (l *lineReader) readLongLine(begin []byte) (line []byte, long bool, err error) {
	l.long = append(l.long[:0], begin...)
	err = bufio.ErrBufferFull
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = l.ReadSlice('\n')
		l.pos.Offset += int64(len(part))
		if room := MaxLine + 2 - len(l.long); len(part) > room {
			part = part[:room]
			long = true
		}
		l.long = append(l.long, part...)
	}
	return l.long, long, err
}

// position returns the position of the next line.
func (l *lineReader) position() schemas.Position {
	if !l.uncompressed {
		return schemas.Position{Row: l.pos.Row, Offset: -1}
	}
	return l.pos
}

// textFile reads a text file as a whole.
type textFile struct{ lines *lineReader }

// OpenText opens a text file as the text formats do: it decompresses gzip and zstd, and skips a
// byte order mark. UTF-16 and binary formats are errors. Errors name the file.
func OpenText(s store.Store, name string) (io.ReadCloser, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	in := &input{store: s, file: File{Path: name, Size: f.Size()}}
	t, err := in.newStream(f)
	if err != nil {
		return nil, err
	}
	l := &lineReader{byteStream: t}
	if err := l.skipByteOrderMark(); err != nil {
		t.close()
		return nil, err
	}
	return textFile{l}, nil
}

// Read implements io.Reader.
func (t textFile) Read(p []byte) (int, error) {
	n, err := t.lines.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = t.lines.readError(err, schemas.Position{Offset: -1}, remedyPlain)
	}
	return n, err
}

// Close implements io.Closer.
func (t textFile) Close() error { return t.lines.close() }
