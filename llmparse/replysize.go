package llmparse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// What a token of a reply takes at most, in bytes, over the whole reply: its text, of which
// vocabularies have four bytes a token and JSON makes twelve of an emoji, and its
// log-probability. The rest of a response has responseBytes.
const (
	tokenBytes    = 64
	logProbBytes  = 320
	responseBytes = 128 << 10
)

// maxContent returns the most bytes that the text of a reply with that many tokens has.
func maxContent(tokens int) int { return tokens * tokenBytes }

// maxBody returns the most bytes that a response with a reply of that many tokens has.
func (o *Options) maxBody(tokens int) int {
	each := tokenBytes
	if o.LogProbs {
		each += logProbBytes * (1 + o.topLogProbs())
	}
	return responseBytes + tokens*each
}

// topLogProbs returns how many other tokens are told with each of a reply.
func (o *Options) topLogProbs() int {
	n := 0
	switch top := o.Sampling["top_logprobs"].(type) {
	case int:
		n = top
	case uint64:
		n = int(min(top, 1<<10))
	case int64:
		n = int(top)
	case float64:
		n = int(top)
	}
	return min(max(n, 0), 1<<10)
}

// mostTokens is the most that max_tokens can be.
const mostTokens = 1 << 17

// isTooLong reports whether a reply has more bytes than its tokens, or those that are allowed
// now, can make.
func (r *Record) isTooLong(tokens int) bool {
	return len(r.Content) > maxContent(min(max(tokens, r.Room), mostTokens))
}

// errTooLong is a reply that is longer than the tokens that were allowed can make it.
var errTooLong = errors.New("the reply is longer than max_tokens allows")

// tooLongError returns errTooLong with the bytes that are too many.
func tooLongError(most, tokens int) error {
	return fmt.Errorf("%w: more than %d bytes for %d tokens", errTooLong, most, tokens)
}

// lineReader reads lines, of those that are too long nothing.
type lineReader struct {
	r    *bufio.Reader
	most int
	line []byte
}

// next returns the next line without its end, valid until the next call, or io.EOF after the
// last. A line of more than the most bytes is errTooLong; the next one can be read.
func (l *lineReader) next() ([]byte, error) {
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
			return nil, fmt.Errorf("%w: a line of more than %d bytes", errTooLong, l.most)
		case err != nil && len(l.line) == 0:
			return nil, io.EOF
		}
		return bytes.TrimSuffix(l.line, []byte{'\n'}), nil
	}
}
