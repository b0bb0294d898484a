package sources

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the length of the longest line or text that is read, in bytes;
// longer ones are rejected.
const MaxLine = 1 << 20

// MaxName is the length of the longest key, image key and image, in bytes: a URL or a path.
const MaxName = 8 << 10

// MaxRow is how many bytes a row has at most, with what is kept and its graph.
const MaxRow = 8 << 20

var bom = []byte{0xef, 0xbb, 0xbf}

// lines takes a stream apart at line feeds.
type lines struct {
	*stream
	at   Position // Offset counts decompressed bytes
	long []byte   // holds a line that does not fit into the buffer
}

// lines opens the file at the line that it was asked for, if its offset is
// known, and else at its first.
func (in *input) lines() (*lines, error) {
	s, err := in.stream()
	if err != nil {
		return nil, err
	}
	l := &lines{stream: s}
	if s.plain && in.from.Offset > 0 {
		l.at = in.from
		if err := l.begun(); err != nil {
			s.close()
			return nil, err
		}
		return l, nil
	}
	if err := l.begin(); err != nil {
		s.close()
		return nil, err
	}
	return l, nil
}

// begun checks that a line begins at the offset that it was asked for.
func (l *lines) begun() error {
	if l.at.Row == 0 || l.at.Offset == l.file.Size() {
		return nil
	}
	var before [1]byte
	if _, err := l.file.ReadAt(before[:], l.at.Offset-1); err != nil {
		return l.failed(err, l.at, remedyPlain)
	}
	if before[0] != '\n' {
		return l.in.malformed(l.at, errors.New("no line begins where one was indexed"),
			"bring the old file back, or index again into another folder")
	}
	return nil
}

// begin skips a byte order mark and refuses UTF-16.
func (l *lines) begin() error {
	head, err := l.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return l.failed(err, l.at, remedyPlain)
	}
	if bytes.Equal(head, bom) {
		l.Discard(3)
		l.at.Offset = 3
	}
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return l.in.malformed(Position{Offset: 0}, errors.New("is UTF-16"), "convert it: iconv -f UTF-16 -t UTF-8")
	}
	return nil
}

// line returns the next line without its end, and whether it was longer than
// MaxLine, in which case it is its beginning. It is valid until the next call.
func (l *lines) line() (line []byte, long bool, err error) {
	line, err = l.ReadSlice('\n')
	l.at.Offset += int64(len(line))
	if errors.Is(err, bufio.ErrBufferFull) {
		line, long, err = l.rest(line)
	}
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		return nil, false, io.EOF
	}
	if err != nil {
		return nil, false, l.failed(err, l.at, remedyPlain)
	}
	l.at.Row++
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), long, nil
}

// rest collects a line that is longer than the buffer and lets go of what is
// beyond MaxLine.
func (l *lines) rest(begin []byte) (line []byte, long bool, err error) {
	l.long = append(l.long[:0], begin...)
	err = bufio.ErrBufferFull
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = l.ReadSlice('\n')
		l.at.Offset += int64(len(part))
		if room := MaxLine + 2 - len(l.long); len(part) > room {
			part = part[:room]
			long = true
		}
		l.long = append(l.long, part...)
	}
	return l.long, long, err
}

// position is where the next line begins.
func (l *lines) position() Position {
	if !l.plain {
		return Position{l.at.Row, -1}
	}
	return l.at
}
