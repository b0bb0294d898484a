package group

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"time"
)

// DefaultTimeout is how long processes wait for each other where nothing is said.
const DefaultTimeout = 10 * time.Minute

// Options are what Join needs besides the place.
type Options struct {
	// Timeout is how long Join waits for all to come, and then an operation for a
	// rank from which nothing comes; 0 for DefaultTimeout.
	Timeout time.Duration
	// Terms are what all processes have to agree on: where one does not, Join fails on
	// all of them with an error that names it. Of each name there is one.
	Terms []Term
}

// Join connects this process with all others of its place. The end of ctx ends the
// group. The error says which ranks did not come, or in what one differs from the
// others. Close the group at the end.
func Join(ctx context.Context, p Place, o Options) (*Group, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if p.World == 1 {
		return newGroup(ctx, p, o.Timeout, nil), nil
	}
	j := &joining{Place: p, Options: o, key: jobKey(p), links: make([]*link, p.World)}
	var cancel func()
	j.ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("not all processes came together within %v", o.Timeout))
	defer cancel()
	meet := j.invite
	if p.Rank > 0 {
		meet = j.accept

	}
	if err := meet(); err != nil {
		j.close()
		if cause := context.Cause(ctx); cause != nil {
			err = cause // and not what it broke
		}
		return nil, fmt.Errorf("joining the other processes: %w", err)
	}
	for _, l := range j.links {
		if l != nil {
			_ = l.conn.SetDeadline(time.Time{})
		}
	}
	g := newGroup(ctx, p, o.Timeout, j.links)
	if err := g.Barrier(); err != nil {
		g.Close()
		return nil, fmt.Errorf("joining the other processes: %w", err)
	}
	return g, nil
}

// joining is a process on its way into a group.
type joining struct {
	Place
	Options
	key   []byte
	ctx   context.Context
	links []*link
}

func (j *joining) close() {
	for _, l := range j.links {
		if l != nil {
			l.conn.Close()
		}
	}
}

func (j *joining) greeting(port int) greeting {
	return greeting{World: j.World, Rank: j.Rank, Port: port, Terms: append([]Term{{"processor architecture", runtime.GOARCH}}, j.Terms...)}
}

// add takes a connection as that of a rank. A machine that vanished without a word
// is noticed within half a minute.
func (j *joining) add(rank int, conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4})
	}
	j.links[rank] = newLink(rank, conn)
}
