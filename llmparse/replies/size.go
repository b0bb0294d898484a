package replies

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// TokenBytes is the most bytes of a reply's text for each of its tokens: vocabularies have four
// bytes a token, and JSON makes twelve of an emoji.
const TokenBytes = 64

// MaxTokens is the most tokens that a reply may be allowed.
const MaxTokens = 1 << 17

// MaxContent returns the most bytes that the text of a reply with that many tokens has.
func MaxContent(tokens int) int { return tokens * TokenBytes }

// isTooLong reports whether a reply has more bytes than the tokens make that it was allowed or that
// are allowed now.
func (r *Record) isTooLong(tokens int) bool {
	return len(r.Content) > MaxContent(min(max(tokens, r.Room), MaxTokens))
}

// ErrTooLong is the error of a reply that is longer than its allowed tokens make it.
var ErrTooLong = errors.New("the reply is longer than max_tokens allows")

// TooLongError returns ErrTooLong with the limit in bytes and tokens.
func TooLongError(most, tokens int) error {
	return fmt.Errorf("%w: more than %d bytes for %d tokens", ErrTooLong, most, tokens)
}

// lineReader reads lines and skips those over a limit.
type lineReader struct {
	r    *bufio.Reader
	most int
	line []byte
}

// readLine returns the next line without its end, valid until the next call, or io.EOF after the
// last. A line over the limit is ErrTooLong, and is skipped.
func (l *lineReader) readLine() ([]byte, error) {
	l.line = l.line[:0]
	cut := false
	for {
		part, err := l.r.ReadSlice('\n')
		if cut = cut || len(l.line)+len(part) > l.most; !cut {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case cut:
			return nil, fmt.Errorf("%w: a line of more than %d bytes", ErrTooLong, l.most)
		case err != nil && len(l.line) == 0:
			return nil, io.EOF
		}
		return bytes.TrimSuffix(l.line, []byte{'\n'}), nil
	}
}
