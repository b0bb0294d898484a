package replies

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// TokenBytes bounds the bytes of a reply per token, over the whole reply: tokens have about four
// bytes, and JSON escapes an emoji in twelve.
const TokenBytes = 64

// MaxTokens is the largest limit of tokens for a reply.
const MaxTokens = 1 << 17

// MaxContent returns a bound for the bytes of a reply of tokens tokens.
func MaxContent(tokens int) int { return tokens * TokenBytes }

// isTooLong reports whether the reply has more bytes than its limit of tokens allows, and than the
// limit tokens of now allows.
func (r *Record) isTooLong(tokens int) bool {
	return len(r.Content) > MaxContent(min(max(tokens, r.Room), MaxTokens))
}

// ErrTooLong is the error of a reply with more bytes than its limit of tokens allows.
var ErrTooLong = errors.New("the reply is longer than max_tokens allows")

// TooLongError returns ErrTooLong with the limits in bytes and tokens.
func TooLongError(most, tokens int) error {
	return fmt.Errorf("%w: more than %d bytes for %d tokens", ErrTooLong, most, tokens)
}

// lineReader reads lines and skips lines over a limit.
type lineReader struct {
	r    *bufio.Reader
	most int
	line []byte
}

// readLine returns the next line without its end, or io.EOF after the last. The line is valid until
// the next call. If it is over the limit, readLine skips it and returns ErrTooLong.
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
