package group

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// farewell is how long the last words of a rank may take.
const farewell = time.Second

// ahead is how many blocks are read of a rank before they are asked for.
const ahead = 2

// link is the connection to one other rank. Two goroutines serve it: one reads
// ahead, and so learns at once that the rank is gone; one writes, so that no rank
// waits for another to read.
type link struct {
	rank int
	conn net.Conn

	jobs  chan job      // to be sent
	sent  chan struct{} // one of each job that is done
	idle  chan struct{} // closed when nothing more will be sent
	in    chan *received
	free  chan *received  // blocks to read into
	head  [headBytes]byte // of what is sent
	parts [2][]byte       // head and payload
	frame net.Buffers
}

// job is a part to send.
type job struct {
	op     operation
	number uint32
	numbers
}

// received is a block of a part.
type received struct {
	head
	payload []byte
	memory  []float64 // of the payload: aligned for all numbers
}

// fault is what a rank tells the others before it ends.
type fault struct {
	Rank int    `json:"rank"` // whose it is
	Text string `json:"text"`
}

func newLink(rank int, conn net.Conn) *link {
	l := &link{
		rank: rank, conn: conn,
		jobs: make(chan job, 2), sent: make(chan struct{}, 2), idle: make(chan struct{}),
		in: make(chan *received, ahead), free: make(chan *received, ahead),
	}
	for range ahead {
		l.free <- &received{memory: make([]float64, blockBytes/8)}
	}
	return l
}

// read reads blocks until the rank leaves or the group is down; then it waits for
// the end of the stream, so that closing the connection takes nothing from the
// other side.
func (l *link) read(g *Group) {
	if err := l.readBlocks(g); err != nil {
		g.fail(err)
	}
	<-g.down
	_, _ = io.Copy(io.Discard, l.conn)
}

func (l *link) readBlocks(g *Group) error {
	var b [headBytes]byte
	lost := func(err error) error {
		return &RankError{l.rank, fmt.Errorf("it is gone: its connection to rank %d ended: %w", g.Rank, err)}
	}
	for {
		if _, err := io.ReadFull(l.conn, b[:]); err != nil {
			return lost(err)
		}
		h, err := parseHead(b[:])
		if err != nil {
			return &RankError{l.rank, err}
		}
		var r *received
		select {
		case r = <-l.free:
		case <-g.down:
			return nil
		}
		r.head, r.payload = h, numbers{f64: r.memory}.bytes()[:h.length]
		if _, err := io.ReadFull(l.conn, r.payload); err != nil {
			return lost(err)
		}
		switch h.kind {
		case block, last:
			l.in <- r // has room for all blocks that there are
		case failed:
			var f fault
			if err := json.Unmarshal(r.payload, &f); err != nil || f.Rank < 0 || f.Rank >= g.World {
				f = fault{l.rank, "it failed and did not say why"}
			}
			return &RankError{f.Rank, errors.New(f.Text)}
		case bye:
			close(l.in)
			return nil
		default:
			return &RankError{l.rank, errors.New("it sent a greeting in the middle of its work")}
		}
	}
}

// write sends parts until the group is down, and then why it is.
func (l *link) write(g *Group) {
	for up := true; up; {
		select {
		case j := <-l.jobs:
			if err := l.send(g, j); err != nil {
				g.fail(&RankError{l.rank, fmt.Errorf("it is gone: nothing can be sent to it from rank %d: %w", g.Rank, err)})
			}
			l.sent <- struct{}{}
		case <-g.down:
			up = false
		}
	}
	close(l.idle)
	// Whether it gets there changes nothing here.
	if f, wrong := g.lastWords(); wrong {
		_ = writeMessage(l.conn, failed, f)
	} else {
		_ = writeMessage(l.conn, bye, nil)
	}
	if c, ok := l.conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// send writes a part in blocks; an empty one is an empty block.
func (l *link) send(g *Group, j job) error {
	width := j.width()
	per := blockBytes / width
	for from := 0; ; from += per {
		to := min(from+per, j.len())
		h := head{kind: block, op: j.op, number: j.number, length: (to - from) * width}
		if to == j.len() {
			h.kind = last
		}
		h.put(l.head[:])
		l.parts = [2][]byte{l.head[:], j.cut(from, to).bytes()}
		l.frame = l.parts[:]
		if _, err := l.frame.WriteTo(l.conn); err != nil {
			return err
		}
		if h.kind == last {
			return nil
		}
		select {
		case <-g.down:
			return nil
		default:
		}
	}
}
