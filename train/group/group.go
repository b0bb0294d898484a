package group

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// RankError is an error of one of the processes, which ends the work of all.
type RankError struct {
	Rank int // whose it is, as far as this process knows
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %v", e.Rank, e.Err) }

func (e *RankError) Unwrap() error { return e.Err }

// Group is processes that train together. All call its operations in the same
// order, each from one goroutine. Once an operation fails, all do, with the same
// error. A group of one does them alone.
type Group struct {
	Place

	timeout time.Duration
	links   []*link // by rank; none to itself
	served  sync.WaitGroup
	unwatch func() bool // of the context
	timer   *time.Timer

	down chan struct{} // closed when the group ends
	once sync.Once
	err  error // why it ended; nil where Close did. Read it when down is closed

	op       operation
	number   uint32 // of the operation
	partial  numbers
	gathered []float64
	raw      []byte
	parts    [][]byte
	ends     []int
}

// errClosed is what operations of a closed group yield.
var errClosed = errors.New("the group of processes is closed")

// newGroup starts what serves the connections, by rank, until ctx ends.
func newGroup(ctx context.Context, p Place, timeout time.Duration, links []*link) *Group {
	g := &Group{Place: p, timeout: timeout, links: links, down: make(chan struct{}), timer: time.NewTimer(timeout)}
	g.timer.Stop()
	for _, l := range links {
		if l != nil {
			g.served.Go(func() { l.read(g) })
			g.served.Go(func() { l.write(g) })
		}
	}
	g.unwatch = context.AfterFunc(ctx, func() { g.fail(&RankError{g.Rank, context.Cause(ctx)}) })
	return g
}

// Fail ends the group because of an error of this process: what the others do
// next, or wait for now, is an error that says so.
func (g *Group) Fail(err error) { g.fail(&RankError{g.Rank, err}) }

// Close ends the group. The others may still finish what this process took part
// in; what they begin afterwards is an error. It takes up to a second where others
// are still at work.
func (g *Group) Close() error {
	g.fail(nil)
	g.unwatch()
	g.timer.Stop()
	g.served.Wait()
	for _, l := range g.links {
		if l != nil {
			_ = l.conn.Close() // nothing is in it any more
		}
	}
	return nil
}

// fail ends the group, the first time.
func (g *Group) fail(err error) {
	g.once.Do(func() {
		g.err = err
		for _, l := range g.links {
			if l != nil {
				_ = l.conn.SetDeadline(time.Now().Add(farewell))
			}
		}
		close(g.down)
	})
}

// ended is why the group is down.
func (g *Group) ended() error {
	<-g.down
	if g.err == nil {
		return errClosed
	}
	return g.err
}

// lastWords are what the others are told when the group is down, if something is
// wrong.
func (g *Group) lastWords() (f fault, wrong bool) {
	if g.err == nil {
		return fault{}, false
	}
	return faultOf(g.err), true
}

// faultOf is an error as others are told of it.
func faultOf(err error) fault {
	f := fault{Text: err.Error()}
	var e *RankError
	if errors.As(err, &e) {
		f = fault{e.Rank, e.Err.Error()}
	}
	f.Text = f.Text[:min(len(f.Text), 4096)]
	return f
}

// begin begins the next operation.
func (g *Group) begin(op operation) error {
	g.op = op
	g.number++
	select {
	case <-g.down:
		return g.ended()
	default:
		return nil
	}
}

// send begins to send a part to a rank; flush waits for its end.
func (g *Group) send(rank int, n numbers) {
	g.links[rank].jobs <- job{g.op, g.number, n} // has room for all that an operation sends
}

// flush waits until n parts to each of the others are sent, or given up: what
// they are made of is the caller's again.
func (g *Group) flush(n int) error {
	for rank, l := range g.links {
		for i := 0; l != nil && i < n; i++ {
			g.timer.Reset(g.timeout)
			select {
			case <-l.sent:
			case <-l.idle:
			case <-g.timer.C:
				g.fail(&RankError{rank, fmt.Errorf("it took nothing from rank %d for %v", g.Rank, g.timeout)})
				<-l.idle
			}
		}
	}
	g.timer.Stop()
	select {
	case <-g.down:
		return g.ended()
	default:
		return nil
	}
}

// receive is the next block of a rank, which goes back by release.
func (g *Group) receive(rank int) (*received, error) {
	g.timer.Reset(g.timeout)
	l := g.links[rank]
	select {
	case r, ok := <-l.in:
		switch {
		case !ok:
			g.fail(&RankError{rank, fmt.Errorf("it has left, and rank %d is at %v", g.Rank, g.op)})
		case r.op != g.op || r.number != g.number:
			g.fail(&RankError{rank, fmt.Errorf("it is at %v, its operation %d, and rank %d at %v, operation %d: all ranks do the same in the same order",
				r.op, r.number, g.Rank, g.op, g.number)})
		default:
			return r, nil
		}
	case <-g.down:
	case <-g.timer.C:
		g.fail(&RankError{rank, fmt.Errorf("nothing came from it to rank %d for %v", g.Rank, g.timeout)})
	}
	return nil, g.ended()
}

func (g *Group) release(rank int, r *received) { g.links[rank].free <- r }
