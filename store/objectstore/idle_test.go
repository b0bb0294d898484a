package objectstore

import (
	"context"
	"errors"
	"testing"
	"time"
)

// tricklingBody sends a byte at a time, until its request is cancelled.
type tricklingBody struct {
	ctx  context.Context
	sent int
}

func (b *tricklingBody) Read(p []byte) (int, error) {
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(time.Millisecond):
		b.sent++
		return 1, nil
	}
}

func (b *tricklingBody) Close() error { return nil }

// TestTricklingBodies gives up a server that sends a byte now and then.
func TestTricklingBodies(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	slow := &tricklingBody{ctx: ctx}
	idle := 100 * time.Millisecond
	body := &idleBody{ReadCloser: slow, ctx: ctx, cancel: cancel, idle: idle, timer: time.AfterFunc(idle, func() { cancel(errIdle) })}
	defer body.Close()
	var err error
	for p := make([]byte, 100); err == nil && slow.sent < 1_000_000; {
		_, err = body.Read(p)
	}
	if !errors.Is(err, errIdle) {
		t.Errorf("after %d bytes: %v", slow.sent, err)
	}
}
