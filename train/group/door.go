package group

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// greetingTime is how long one that connects may take to say who it is.
const greetingTime = 10 * time.Second

// door is a listener, and what greets those that come. What is not of this job is
// sent away.
type door struct {
	net.Listener
	place  Place
	ctx    context.Context
	leave  context.CancelFunc
	guests chan guest
	served sync.WaitGroup
}

type guest struct {
	greeting
	conn net.Conn
	err  error // why it was sent away
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
	d := &door{Listener: l, place: j.Place, guests: make(chan guest)}
	d.ctx, d.leave = context.WithCancel(j.ctx)
	d.served.Go(d.serve)
	return d, nil
}

// close listens no more.
func (d *door) close() {
	d.leave()
	_ = d.Close()
	d.served.Wait()
}

func (d *door) serve() {
	room := make(chan struct{}, most)
	for {
		conn, err := d.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files, which passes
			time.Sleep(10 * time.Millisecond)
			continue
		}
		room <- struct{}{}
		d.served.Go(func() {
			g := d.hear(conn)
			select {
			case d.guests <- g:
			case <-d.ctx.Done():
				_ = conn.Close()
			}
			<-room
		})
	}
}

// hear reads the greeting of one that connected.
func (d *door) hear(conn net.Conn) guest {
	_ = conn.SetDeadline(time.Now().Add(greetingTime))
	defer bind(d.ctx, conn)()
	h, payload, err := readFrame(conn)
	if v, ok := errors.AsType[versionError](err); ok {
		_ = writeMessage(conn, refuse, fault{Text: v.Error()})
	}
	var g greeting
	if err == nil {
		g, err = parseGreeting(h, payload, d.place)
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close()
	}
	return guest{g, conn, err}
}

// next is the next that is of this job. The error at the end of the context says
// who was sent away last.
func (d *door) next() (greeting, net.Conn, error) {
	var away error
	for {
		select {
		case g := <-d.guests:
			if g.err == nil {
				return g.greeting, g.conn, nil
			}
			away = fmt.Errorf("%v was sent away: %w", g.conn.RemoteAddr(), g.err)
		case <-d.ctx.Done():
			return greeting{}, nil, errors.Join(context.Cause(d.ctx), away)
		}
	}
}

// bind ends what is done with a connection when ctx ends.
func bind(ctx context.Context, conn net.Conn) (unbind func() bool) {
	return context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
}
