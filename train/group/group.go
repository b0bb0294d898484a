package group

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// RankError is an error of one of the processes, which ends the group on all of them.
type RankError struct {
	Rank int // the rank that failed, as far as this process knows
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %v", e.Rank, e.Err) }

func (e *RankError) Unwrap() error { return e.Err }

// Group is a set of processes that train together. All ranks call its operations in the same order,
// each from one goroutine. Once an operation fails, all later ones return the same error. In a
// group of one process, operations do nothing.
type Group struct {
	Place

	timeout      time.Duration
	links        []*link // by rank; nil for this rank
	running      sync.WaitGroup
	stopWatching func() bool // stops watching the context
	timer        *time.Timer

	ended   chan struct{} // closed when the group ends
	endOnce sync.Once
	err     error // why the group ended, nil after Close; read it only after ended is closed

	op       operation
	number   uint32 // of the operation
	partial  numbers
	gathered []float64
	raw      []byte
	parts    [][]byte
	ends     []int
}

// errClosed is the error of operations after Close.
var errClosed = errors.New("the group of processes is closed")

// newGroup returns a group and starts the goroutines that serve its connections. The group ends
// when ctx is done.
func newGroup(ctx context.Context, p Place, timeout time.Duration, links []*link) *Group {
	g := &Group{Place: p, timeout: timeout, links: links, ended: make(chan struct{}), timer: time.NewTimer(timeout)}
	g.timer.Stop()
	for _, l := range links {
		if l != nil {
			g.running.Go(func() { l.readLoop(g) })
			g.running.Go(func() { l.writeLoop(g) })
		}
	}
	g.stopWatching = context.AfterFunc(ctx, func() { g.endWith(&RankError{g.Rank, context.Cause(ctx)}) })
	return g
}

// Fail ends the group because of an error of this process. Operations of the other ranks, including
// those in progress, return that error.
func (g *Group) Fail(err error) { g.endWith(&RankError{g.Rank, err}) }

// Close ends the group. Other ranks can finish the operations that this process took part in; their
// later operations return an error. Close takes up to a second if other ranks are still in an
// operation.
func (g *Group) Close() error {
	g.endWith(nil)
	g.stopWatching()
	g.timer.Stop()
	g.running.Wait()
	for _, l := range g.links {
		if l != nil {
			_ = l.conn.Close() // all data were read and written
		}
	}
	return nil
}

// endWith ends the group with an error, or without one. Only the first call has an effect.
func (g *Group) endWith(err error) {
	g.endOnce.Do(func() {
		g.err = err
		for _, l := range g.links {
			if l != nil {
				_ = l.conn.SetDeadline(time.Now().Add(closeTimeout))
			}
		}
		close(g.ended)
	})
}

// endError returns the error with which the group has ended, or errClosed after Close.
func (g *Group) endError() error {
	<-g.ended
	if g.err == nil {
		return errClosed
	}
	return g.err
}

// finalFault returns the fault that is sent to other ranks, and whether the group has ended with an
// error.
func (g *Group) finalFault() (f fault, wrong bool) {
	if g.err == nil {
		return fault{}, false
	}
	return toFault(g.err), true
}

// toFault converts an error to the form that other ranks receive.
func toFault(err error) fault {
	f := fault{Text: err.Error()}
	var e *RankError
	if errors.As(err, &e) {
		f = fault{e.Rank, e.Err.Error()}
	}
	f.Text = f.Text[:min(len(f.Text), 4096)]
	return f
}

// beginOperation counts the next operation, or returns an error if the group has ended.
func (g *Group) beginOperation(op operation) error {
	g.op = op
	g.number++
	select {
	case <-g.ended:
		return g.endError()
	default:
		return nil
	}
}

// queuePart queues n as this process's part for a rank. waitSent waits until it is sent.
func (g *Group) queuePart(rank int, n numbers) {
	g.links[rank].jobs <- job{g.op, g.number, n} // has capacity for the parts of one operation
}

// waitSent waits until n parts to each other rank are sent or abandoned. Only then may the caller
// reuse the memory of the parts.
func (g *Group) waitSent(n int) error {
	for rank, l := range g.links {
		for i := 0; l != nil && i < n; i++ {
			g.timer.Reset(g.timeout)
			select {
			case <-l.sent:
			case <-l.writerDone:
			case <-g.timer.C:
				g.endWith(&RankError{rank, fmt.Errorf("it took nothing from rank %d for %v", g.Rank, g.timeout)})
				<-l.writerDone
			}
		}
	}
	g.timer.Stop()
	select {
	case <-g.ended:
		return g.endError()
	default:
		return nil
	}
}

// receiveBlock returns the next block of a rank's part. releaseBlock returns its memory for reuse.
func (g *Group) receiveBlock(rank int) (*receivedBlock, error) {
	g.timer.Reset(g.timeout)
	l := g.links[rank]
	select {
	case r, ok := <-l.blocks:
		switch {
		case !ok:
			g.endWith(&RankError{rank, fmt.Errorf("it has left, and rank %d is at %v", g.Rank, g.op)})
		case r.op != g.op || r.number != g.number:
			g.endWith(&RankError{rank, fmt.Errorf("it is at %v, its operation %d, and rank %d at %v, operation %d: all ranks do the same in the same order",
				r.op, r.number, g.Rank, g.op, g.number)})
		default:
			return r, nil
		}
	case <-g.ended:
	case <-g.timer.C:
		g.endWith(&RankError{rank, fmt.Errorf("nothing came from it to rank %d for %v", g.Rank, g.timeout)})
	}
	return nil, g.endError()
}

func (g *Group) releaseBlock(rank int, r *receivedBlock) { g.links[rank].free <- r }
