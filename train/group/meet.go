package group

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// patience is how long rank 0 tries to listen on its port, which an earlier run may
// still be leaving.
const patience = 5 * time.Second

// pause is between two tries.
const pause = 100 * time.Millisecond

// invite is rank 0: it waits for all others, holds what they say against what it
// says itself, and tells each where the others are, or why nobody may join.
func (j *joining) invite() error {
	var d *door
	for end := time.Now().Add(patience); ; {
		var err error
		if d, err = j.open(port(j.Master)); err == nil {
			break
		}
		if time.Now().After(end) || !j.rest(pause) {
			return &RankError{0, fmt.Errorf("it cannot listen: %w; set %s, for all ranks, to a port that is free", err, PortVariable)}
		}
	}
	defer d.close()
	peers, err := j.collect(d)
	for rank, l := range j.links {
		if l == nil {
			continue
		}
		_ = l.conn.SetDeadline(time.Now().Add(greetingTime))
		if err != nil {
			_ = writeMessage(l.conn, refuse, faultOf(err))
		} else if e := writeMessage(l.conn, welcome, invitation{peers}); e != nil {
			err = &RankError{rank, fmt.Errorf("it is gone: %w", e)}
		}
	}
	return err
}

// collect waits until all others are at the door and agree. It returns where each
// of them listens.
func (j *joining) collect(d *door) ([]string, error) {
	mine := j.greeting(0)
	greetings, peers := make([]greeting, j.World), make([]string, j.World)
	for missing := j.World - 1; missing > 0; {
		g, conn, err := d.next()
		if err != nil {
			return nil, fmt.Errorf("%s did not come: %w", j.absent(), err)
		}
		// What is wrong here leaves the others without a place; waiting mends nothing.
		switch err = agree(mine, g); {
		case g.World != j.World:
		case g.Rank < 1 || g.Rank >= j.World:
			err = fmt.Errorf("a process says that it is rank %d of %d", g.Rank, g.World)
		case j.links[g.Rank] == nil:
			err = nil // the terms can wait until all are there, so that all are told
			missing--
		case !gone(j.links[g.Rank].conn):
			err = fmt.Errorf("two processes say that they are rank %d", g.Rank)
		default: // it was started again
			err = j.links[g.Rank].conn.Close()
		}
		if err != nil {
			_ = writeMessage(conn, refuse, faultOf(err))
			_ = conn.Close()
			return nil, err
		}
		j.add(g.Rank, conn)
		greetings[g.Rank], peers[g.Rank] = g, address(conn, g.Port)
	}
	for _, g := range greetings[1:] {
		if err := agree(mine, g); err != nil {
			return nil, err
		}
	}
	return peers, nil
}

// address is where a peer listens, as far as rank 0 can see: one on its own machine
// is for others where rank 0 is.
func address(conn net.Conn, port int) string {
	host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
	if net.ParseIP(host).IsLoopback() {
		host = ""
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

// gone says whether the other side of a connection, which has nothing to say, has
// closed it.
func gone(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	defer conn.SetReadDeadline(time.Time{})
	_, err := conn.Read(make([]byte, 1))
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// absent names the ranks that rank 0 has not seen.
func (j *joining) absent() string {
	var names []byte
	n := 0
	for rank, l := range j.links[1:] {
		switch {
		case l != nil:
		case n == 10:
			return string(names) + " and more"
		default:
			names = fmt.Appendf(names, ", %d", rank+1)
			n++
		}
	}
	return "ranks " + string(names[2:])
}

// accept is every other rank: it asks rank 0 where the others are, connects to those
// below it and waits for those above.
func (j *joining) accept() error {
	d, err := j.open("0")
	if err != nil {
		return fmt.Errorf("rank %d cannot listen: %w", j.Rank, err)
	}
	defer d.close()
	i, err := j.knock(d.Addr().(*net.TCPAddr).Port)
	if err != nil {
		return err
	}
	for rank := 1; rank < j.Rank; rank++ {
		conn, err := j.greet(j.reach(i.Peers[rank]), greeting{Token: token(j.Place), World: j.World, Rank: j.Rank})
		if err != nil {
			return &RankError{rank, fmt.Errorf("it cannot be reached from rank %d: %w", j.Rank, err)}
		}
		j.add(rank, conn)
	}
	for missing := j.World - 1 - j.Rank; missing > 0; {
		g, conn, err := d.next()
		if err != nil {
			return err
		}
		if g.Rank <= j.Rank || g.Rank >= j.World || j.links[g.Rank] != nil {
			_ = conn.Close()
			continue
		}
		j.add(g.Rank, conn)
		missing--
	}
	return nil
}

// knock asks rank 0 until it answers.
func (j *joining) knock(port int) (invitation, error) {
	for {
		i, err := j.ask(port)
		if err == nil {
			return i, nil
		}
		_, refused := errors.AsType[*RankError](err)
		_, foreign := errors.AsType[versionError](err)
		if refused || foreign {
			return invitation{}, err
		}
		if !j.rest(pause) {
			return invitation{}, fmt.Errorf("rank %d does not reach rank 0 at %s: %w: %w", j.Rank, j.Master, context.Cause(j.ctx), err)
		}
	}
}

// ask asks rank 0, and keeps the connection where it is welcome.
func (j *joining) ask(port int) (invitation, error) {
	conn, err := j.greet(j.Master, j.greeting(port))
	if err != nil {
		return invitation{}, err
	}
	defer bind(j.ctx, conn)()
	h, payload, err := readFrame(conn)
	if err != nil {
		_ = conn.Close()
		return invitation{}, err
	}
	i, err := parseInvitation(h, payload, j.Place)
	if err != nil {
		_ = conn.Close()
		return invitation{}, err
	}
	j.add(0, conn)
	return i, nil
}

// greet connects and says who this is.
func (j *joining) greet(address string, g greeting) (net.Conn, error) {
	dialer := net.Dialer{Timeout: greetingTime}
	conn, err := dialer.DialContext(j.ctx, "tcp", address)
	if err == nil {
		if err = writeMessage(conn, hello, g); err != nil {
			_ = conn.Close()
		}
	}
	return conn, err
}

// reach is an address of the invitation as it is seen from here.
func (j *joining) reach(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err == nil && host == "" {
		host, _, _ = net.SplitHostPort(j.links[0].conn.RemoteAddr().String())
	}
	return net.JoinHostPort(host, port)
}

// rest waits, and says whether there is still time.
func (j *joining) rest(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-j.ctx.Done():
		return false
	}
}
