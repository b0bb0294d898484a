package group

import (
	"context"
	"net"
	"testing"
	"time"
)

// timedConn is a connection that tells its deadlines.
type timedConn struct {
	net.Conn
	deadlines chan time.Time
}

func (c *timedConn) SetDeadline(t time.Time) error {
	c.deadlines <- t
	return c.Conn.SetDeadline(t)
}

// A listener closes as soon as all peers have come. Their connections keep no deadline, even if
// readGreeting has not returned by then.
func TestClosedListenerKeepsItsPeers(t *testing.T) {
	for range 100 {
		accepted, dialled := net.Pipe()
		l := &listener{key: []byte("key"), peers: make(chan peer, 1)}
		l.ctx, l.cancel = context.WithCancel(t.Context())
		deadlines := make(chan time.Time)
		l.running.Go(func() { l.readGreeting(&timedConn{accepted, deadlines}) })
		go func() { _ = (&handshake{key: l.key}).sendGreeting(dialled, greeting{World: 2, Rank: 1}) }()
		<-deadlines // of the greeting
		if d := <-deadlines; !d.IsZero() {
			t.Fatalf("once greeted, a peer has the deadline %v", d)
		}
		l.cancel()
		select {
		case d := <-deadlines:
			t.Fatalf("closing the listener gave a peer the deadline %v", d)
		case p := <-l.peers:
			if p.Rank != 1 {
				t.Errorf("the peer is %+v", p.greeting)
			}
		}
		l.running.Wait()
		_ = accepted.Close()
		_ = dialled.Close()
	}
}
