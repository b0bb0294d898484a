package group

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// closeTimeout is the maximum time for sending the last message to a rank.
const closeTimeout = time.Second

// readAhead is the number of blocks of a rank that are read before an operation receives them.
const readAhead = 2

// link is the connection to one other rank. Two goroutines serve it. One reads ahead, and so
// notices at once if the rank is lost. The other writes, so that an operation need not wait until
// the other rank reads.
type link struct {
	rank int
	conn net.Conn

	jobs       chan job      // to be sent
	sent       chan struct{} // receives a value for each job that was sent
	writerDone chan struct{} // closed when the writer has ended
	blocks     chan *receivedBlock
	free       chan *receivedBlock // unused blocks, into which the next payloads are read
	header     [headerBytes]byte   // of the frame that is being sent
	parts      [2][]byte           // header and payload
	frame      net.Buffers
}

// job is a part that is to be sent.
type job struct {
	op     operation
	number uint32
	numbers
}

// receivedBlock is a block of a part.
type receivedBlock struct {
	frameHeader
	payload []byte
	memory  []float64 // the payload; float64 so that it is aligned for all types of numbers
}

// fault is the error that a rank sends to the others before it ends.
type fault struct {
	Rank int    `json:"rank"` // the rank that failed
	Text string `json:"text"`
}

func newLink(rank int, conn net.Conn) *link {
	l := &link{
		rank: rank, conn: conn,
		jobs: make(chan job, 2), sent: make(chan struct{}, 2), writerDone: make(chan struct{}),
		blocks: make(chan *receivedBlock, readAhead), free: make(chan *receivedBlock, readAhead),
	}
	for range readAhead {
		l.free <- &receivedBlock{memory: make([]float64, blockBytes/8)}
	}
	return l
}

// readLoop reads blocks until the rank leaves or the group ends. Then it reads to the end of the
// stream, because closing a connection with unread data can destroy data that the other side has
// not read yet.
func (l *link) readLoop(g *Group) {
	if err := l.readBlocks(g); err != nil {
		g.endWith(err)
	}
	<-g.ended
	_, _ = io.Copy(io.Discard, l.conn)
}

func (l *link) readBlocks(g *Group) error {
	var b [headerBytes]byte
	lost := func(err error) error {
		return &RankError{l.rank, fmt.Errorf("it is gone: its connection to rank %d ended: %w", g.Rank, err)}
	}
	for {
		if _, err := io.ReadFull(l.conn, b[:]); err != nil {
			return lost(err)
		}
		h, err := parseHeader(b[:])
		if err != nil {
			return &RankError{l.rank, err}
		}
		var r *receivedBlock
		select {
		case r = <-l.free:
		case <-g.ended:
			return nil
		}
		r.frameHeader, r.payload = h, numbers{f64: r.memory}.asBytes()[:h.length]
		if _, err := io.ReadFull(l.conn, r.payload); err != nil {
			return lost(err)
		}
		switch h.kind {
		case kindBlock, kindLastBlock:
			l.blocks <- r // does not block: it has the capacity of l.free
		case kindFailed:
			var f fault
			if err := json.Unmarshal(r.payload, &f); err != nil || f.Rank < 0 || f.Rank >= g.World {
				f = fault{l.rank, "it failed and did not say why"}
			}
			return &RankError{f.Rank, errors.New(f.Text)}
		case kindClose:
			close(l.blocks)
			return nil
		default:
			return &RankError{l.rank, errors.New("it sent a message of the handshake after joining")}
		}
	}
}

// writeLoop sends parts until the group ends, then a last message with the reason.
func (l *link) writeLoop(g *Group) {
	for open := true; open; {
		select {
		case j := <-l.jobs:
			if err := l.sendPart(g, j); err != nil {
				g.endWith(&RankError{l.rank, fmt.Errorf("it is gone: nothing can be sent to it from rank %d: %w", g.Rank, err)})
			}
			l.sent <- struct{}{}
		case <-g.ended:
			open = false
		}
	}
	close(l.writerDone)
	// Errors are ignored, because the link ends in any case.
	if f, wrong := g.finalFault(); wrong {
		_ = writeMessage(l.conn, kindFailed, f)
	} else {
		_ = writeMessage(l.conn, kindClose, nil)
	}
	if c, ok := l.conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// sendPart sends the part of a job in blocks; an empty part is sent as one empty block.
func (l *link) sendPart(g *Group, j job) error {
	width := j.elementBytes()
	per := blockBytes / width
	for from := 0; ; from += per {
		to := min(from+per, j.len())
		h := frameHeader{kind: kindBlock, op: j.op, number: j.number, length: (to - from) * width}
		if to == j.len() {
			h.kind = kindLastBlock
		}
		h.encodeTo(l.header[:])
		l.parts = [2][]byte{l.header[:], j.slice(from, to).asBytes()}
		l.frame = l.parts[:]
		if _, err := l.frame.WriteTo(l.conn); err != nil {
			return err
		}
		if h.kind == kindLastBlock {
			return nil
		}
		select {
		case <-g.ended:
			return nil
		default:
		}
	}
}
