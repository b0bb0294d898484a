package group

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
)

// greetingTimeout is the maximum time between a connection and its greeting.
const greetingTimeout = 10 * time.Second

// maxPending is the maximum number of connections without a greeting. One more closes the oldest of them, so that
// silent connections do not lock out other ranks.
var maxPending = maxWorld

// listener accepts connections and reads their greetings. It closes connections of processes that are not of this job.
type listener struct {
	net.Listener
	key     []byte
	ctx     context.Context
	cancel  context.CancelFunc
	peers   chan peer
	running sync.WaitGroup

	mu      sync.Mutex
	pending []net.Conn // in the order of arrival
	// lastRejection is why the last connection was rejected, nil if none was; rejectedOfJob says whether that process
	// was of this job.
	lastRejection error
	rejectedOfJob bool
	warn          func(error) // called for the first process with another key
}

// peer is a process that has proved with its signature that it is of this job.
type peer struct {
	greeting
	conn      net.Conn
	handshake *handshake
}

// listen starts a listener on a port, only on the loopback interface if all processes are on this machine.
func (j *joiner) listen(port string) (*listener, error) {
	host, _, err := net.SplitHostPort(j.Master)
	if err != nil {
		return nil, fmt.Errorf("the address of rank 0: %w", err)
	}
	if ip := net.ParseIP(host); j.LocalWorld < j.World || host != "localhost" && !ip.IsLoopback() {
		host = ""
	}
	var c net.ListenConfig
	socket, err := c.Listen(j.ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	l := &listener{Listener: socket, key: j.key, peers: make(chan peer, maxWorld)}
	if j.Warn != nil && j.Rank == 0 {
		l.warn = func(err error) { j.Warn(err.Error() + "; rank 0 waits for the others") }
	}
	l.ctx, l.cancel = context.WithCancel(j.ctx)
	l.running.Go(l.acceptLoop)
	return l, nil
}

// close stops listening.
func (l *listener) close() {
	l.cancel()
	_ = l.Close()
	l.running.Wait()
	close(l.peers)
	for p := range l.peers {
		_ = p.conn.Close()
	}
}

func (l *listener) acceptLoop() {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // may be temporary, such as too many open files
			time.Sleep(10 * time.Millisecond)
			continue
		}
		l.mu.Lock()
		if len(l.pending) >= maxPending {
			_ = l.pending[0].Close()
			l.pending = slices.Delete(l.pending, 0, 1)
		}
		l.pending = append(l.pending, conn)
		l.mu.Unlock()
		l.running.Go(func() { l.readGreeting(conn) })
	}
}

// readGreeting reads the greeting of a connection, and accepts or rejects it.
func (l *listener) readGreeting(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(greetingTimeout))
	unbind := bindContext(l.ctx, conn)
	hs := &handshake{key: l.key}
	g, err := hs.receiveGreeting(conn)
	if v, ok := errors.AsType[versionError](err); ok {
		_ = writeMessage(conn, kindRefuse, fault{Text: v.Error()})
	}
	if errors.Is(err, errWrongKey) {
		_ = hs.sendSigned(conn, kindRefuse, fault{Text: "the signature is wrong"}) // the other process cannot verify this message, but can read it
	}
	// The connection of a peer is no longer bound to the context, because it outlives the listener, which ends when all
	// peers have connected.
	if !unbind() && err == nil {
		err = context.Cause(l.ctx)
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	l.mu.Lock()
	l.pending = slices.DeleteFunc(l.pending, func(c net.Conn) bool { return c == conn })
	l.mu.Unlock()
	if err == nil {
		select {
		case l.peers <- peer{g, conn, hs}:
			return
		default:
			err = errors.New("too many other connections are waiting")
		}
	}
	l.rejectPeer(conn, err, false)
}

// rejectPeer closes a connection and keeps why as lastRejection, for the error if ranks are missing in the end. A
// rejection of a process of this job is not replaced by that of another process.
func (l *listener) rejectPeer(conn net.Conn, why error, ofJob bool) {
	_ = conn.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() == nil && (ofJob || !l.rejectedOfJob) { // if ctx is done, this process closed the connection itself
		l.lastRejection, l.rejectedOfJob = fmt.Errorf("%v was rejected: %w", conn.RemoteAddr(), why), ofJob
		if errors.Is(why, errWrongKey) && l.warn != nil {
			l.warn(l.lastRejection)
			l.warn = nil
		}
	}
}

// nextPeer waits for the next process of this job and returns it. If the context ends first, the error includes
// lastRejection.
func (l *listener) nextPeer() (peer, error) {
	select {
	case p := <-l.peers:
		return p, nil
	case <-l.ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		return peer{}, errors.Join(context.Cause(l.ctx), l.lastRejection)
	}
}

// bindContext makes reads and writes of a connection fail when ctx ends, until unbind is called. unbind returns false
// if ctx has ended before; the deadline of the connection may then still change.
func bindContext(ctx context.Context, conn net.Conn) (unbind func() bool) {
	return context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
}
