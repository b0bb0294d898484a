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

// greetingTime is how long one that connects may take to say who it is.
const greetingTime = 10 * time.Second

// patient is how many may be about to say who they are. One more sends the one away that has
// been silent for longest, so that silent ones do not keep the others out.
var patient = most

// door is a listener, and what greets those that come. What is not of this job is
// sent away.
type door struct {
	net.Listener
	key    []byte
	ctx    context.Context
	leave  context.CancelFunc
	guests chan guest
	served sync.WaitGroup

	mu     sync.Mutex
	silent []net.Conn // in the order in which they came
	// away is why the last was sent away, nil if none was; awayOfJob says that it was of this job.
	away      error
	awayOfJob bool
}

// guest is one that showed that it is of this job.
type guest struct {
	greeting
	conn net.Conn
	talk *handshake
}

// open listens on a port, and on this machine only where all processes are on it.
func (j *joining) open(port string) (*door, error) {
	host, _, err := net.SplitHostPort(j.Master)
	if err != nil {
		return nil, fmt.Errorf("the address of rank 0: %w", err)
	}
	if ip := net.ParseIP(host); j.LocalWorld < j.World || host != "localhost" && !ip.IsLoopback() {
		host = ""
	}
	var c net.ListenConfig
	l, err := c.Listen(j.ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	d := &door{Listener: l, key: j.key, guests: make(chan guest, most)}
	d.ctx, d.leave = context.WithCancel(j.ctx)
	d.served.Go(d.serve)
	return d, nil
}

// close listens no more.
func (d *door) close() {
	d.leave()
	_ = d.Close()
	d.served.Wait()
	close(d.guests)
	for g := range d.guests {
		_ = g.conn.Close()
	}
}

func (d *door) serve() {
	for {
		conn, err := d.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files, which passes
			time.Sleep(10 * time.Millisecond)
			continue
		}
		d.mu.Lock()
		if len(d.silent) >= patient {
			_ = d.silent[0].Close()
			d.silent = slices.Delete(d.silent, 0, 1)
		}
		d.silent = append(d.silent, conn)
		d.mu.Unlock()
		d.served.Go(func() { d.hear(conn) })
	}
}

// hear reads the greeting of one that connected, and lets it in or sends it away.
func (d *door) hear(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(greetingTime))
	defer bind(d.ctx, conn)()
	talk := &handshake{key: d.key}
	g, err := talk.receive(conn)
	if v, ok := errors.AsType[versionError](err); ok {
		_ = writeMessage(conn, refuse, fault{Text: v.Error()})
	}
	if errors.Is(err, errOtherKey) {
		_ = talk.send(conn, refuse, fault{Text: "the signature is wrong"}) // which it cannot read
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	d.mu.Lock()
	d.silent = slices.DeleteFunc(d.silent, func(c net.Conn) bool { return c == conn })
	d.mu.Unlock()
	if err == nil {
		select {
		case d.guests <- guest{g, conn, talk}:
			return
		default:
			err = errors.New("too many others are waiting")
		}
	}
	d.refuse(conn, err, false)
}

// refuse sends one away. Why is told if the others do not come, of one that is of this job
// rather than of a stranger.
func (d *door) refuse(conn net.Conn, why error, ofJob bool) {
	_ = conn.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx.Err() == nil && (ofJob || !d.awayOfJob) { // else the end of this process is why
		d.away, d.awayOfJob = fmt.Errorf("%v was sent away: %w", conn.RemoteAddr(), why), ofJob
	}
}

// next is the next that is of this job. The error at the end of the context says
// who was sent away last.
func (d *door) next() (guest, error) {
	select {
	case g := <-d.guests:
		return g, nil
	case <-d.ctx.Done():
		d.mu.Lock()
		defer d.mu.Unlock()
		return guest{}, errors.Join(context.Cause(d.ctx), d.away)
	}
}

// bind ends what is done with a connection when ctx ends.
func bind(ctx context.Context, conn net.Conn) (unbind func() bool) {
	return context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
}
