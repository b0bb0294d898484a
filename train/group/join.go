package group

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"time"
)

// DefaultTimeout is how long processes wait for each other by default.
const DefaultTimeout = 10 * time.Minute

// Options are the options of Join.
type Options struct {
	// Timeout limits how long Join waits for all processes, and how long an operation waits for a
	// silent rank; 0 for DefaultTimeout.
	Timeout time.Duration
	// Warn is called on rank 0, once, about the first process that does not know the secret; it may
	// be nil.
	Warn func(string)
	// Terms are what all processes must agree on. If one differs, Join fails on all ranks with an
	// error that names it. Names are unique.
	Terms []Term
}

// Join connects this process with all others. The group ends when ctx is done. The error names the
// ranks that did not connect, or the term in which one rank differs. The caller must close the
// group.
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
	j := &joiner{Place: p, Options: o, key: jobKey(p), links: make([]*link, p.World)}
	var cancel func()
	j.ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("not all processes came together within %v", o.Timeout))
	defer cancel()
	connect := j.joinAsRankZero
	if p.Rank > 0 {
		connect = j.joinThroughRankZero
	}
	if err := connect(); err != nil {
		j.close()
		if cause := context.Cause(ctx); cause != nil {
			err = cause // the cause rather than a later error that it led to
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

// joiner is the state of a call of Join.
type joiner struct {
	Place
	Options
	key   []byte
	ctx   context.Context
	links []*link
}

func (j *joiner) close() {
	for _, l := range j.links {
		if l != nil {
			l.conn.Close()
		}
	}
}

func (j *joiner) ownGreeting(port int) greeting {
	return greeting{World: j.World, Rank: j.Rank, Port: port, Terms: append([]Term{{"processor architecture", runtime.GOARCH}}, j.Terms...)}
}

// addLink makes a connection the link to a rank. Keep-alive messages detect within half a minute
// that the other machine is not reachable any more.
func (j *joiner) addLink(rank int, conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4})
	}
	j.links[rank] = newLink(rank, conn)
}
