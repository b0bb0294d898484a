package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
)

// MaxMessage is the largest size of a request or a reply in bytes.
const MaxMessage = 1 << 30

// Serve answers requests from in on out until in ends. It returns errors of in and out. An error of
// a request is sent as its reply.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return serveWithin(ctx, in, out, MaxMessage)
}

func serveWithin(ctx context.Context, in io.Reader, out io.Writer, maxMessage int64) error {
	reader, writer := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	s := &server{}
	for ctx.Err() == nil {
		message, err := readMessage(reader, maxMessage)
		var reply []byte
		var long *tooLongError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &long):
			reply, err = encodeError(err)
		case err == nil:
			reply, err = s.answerRequest(ctx, message, maxMessage)
		}
		if err != nil {
			return err
		}
		if err := writeMessage(writer, reply); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// tooLongError is the error of a message over the size limit, which was read and discarded.
type tooLongError struct{ size uint64 }

func (e *tooLongError) Error() string {
	return fmt.Sprintf("a request of %d bytes: pass fewer captions at once", e.size)
}

// readMessage reads a message. The error is io.EOF if in ends before one begins.
func readMessage(in io.Reader, maxMessage int64) ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, fmt.Errorf("the length of a request: %w", err)
	}
	size := binary.LittleEndian.Uint64(head[:])
	if size > uint64(maxMessage) {
		if n, err := io.CopyN(io.Discard, in, int64(min(size, 1<<62))); err != nil {
			return nil, fmt.Errorf("a request of %d bytes ends after %d: %w", size, n, unexpectedEOF(err))
		}
		return nil, &tooLongError{size}
	}
	var message bytes.Buffer
	if n, err := io.CopyN(&message, in, int64(size)); err != nil {
		return nil, fmt.Errorf("a request of %d bytes ends after %d: %w", size, n, unexpectedEOF(err))
	}
	return message.Bytes(), nil
}

// unexpectedEOF returns io.ErrUnexpectedEOF if err is io.EOF, else err.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func writeMessage(out *bufio.Writer, message []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], uint64(len(message)))
	if _, err := out.Write(head[:]); err != nil {
		return err
	}
	if _, err := out.Write(message); err != nil {
		return err
	}
	return out.Flush()
}

// answerRequest returns the reply to a message.
func (s *server) answerRequest(ctx context.Context, message []byte, maxMessage int64) ([]byte, error) {
	r, err := decodeRequest(message)
	if err != nil {
		return encodeError(err)
	}
	schema, batches, rejects, err := s.makeBatches(ctx, r)
	defer func() {
		for _, b := range batches {
			b.Release()
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return encodeError(err)
	}
	reply, err := encodeReply(schema, batches, rejects, r.repeats)
	if err != nil {
		return encodeError(err)
	}
	if int64(len(reply)) > maxMessage {
		return encodeError(fmt.Errorf("a reply of %d bytes: pass fewer captions at once", len(reply)))
	}
	return reply, nil
}

// rowError is an error that concerns the captions from row on.
type rowError struct {
	row int64
	err error
}

func (e *rowError) Error() string { return e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

var errorColumns = arrow.NewSchema([]arrow.Field{{Name: "error", Type: arrow.BinaryTypes.String}, {Name: "row", Type: arrow.PrimitiveTypes.Int64}}, nil)
