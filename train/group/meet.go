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
	guests := make([]guest, j.World)
	peers, err := j.collect(d, guests)
	for rank, g := range guests {
		if g.conn == nil {
			continue
		}
		_ = g.conn.SetDeadline(time.Now().Add(greetingTime))
		if err != nil {
			_ = g.talk.send(g.conn, refuse, faultOf(err))
		} else if e := g.talk.send(g.conn, welcome, invitation{peers}); e != nil {
			err = &RankError{rank, fmt.Errorf("it is gone: %w", e)}
		}
	}
	return err
}

// collect waits until all others are at the door and agree. It puts them into guests, by rank,
// and returns where each of them listens. One that has no place here is sent away, and the one
// whose place it is waited for.
func (j *joining) collect(d *door, guests []guest) ([]string, error) {
	mine, peers := j.greeting(0), make([]string, j.World)
	for missing := j.World - 1; missing > 0; {
		g, err := d.next()
		if err != nil {
			return nil, fmt.Errorf("%s did not come: %w", j.absent(), err)
		}
		switch {
		case g.World != j.World:
			err = agree(mine, g.greeting)
		case g.Rank < 1 || g.Rank >= j.World:
			err = fmt.Errorf("a process says that it is rank %d of %d", g.Rank, g.World)
		case j.links[g.Rank] == nil:
			missing-- // the terms can wait until all are there, so that all are told
		case !gone(j.links[g.Rank].conn):
			err = fmt.Errorf("two processes say that they are rank %d", g.Rank)
		default: // it was started again
			err = j.links[g.Rank].conn.Close()
		}
		if err != nil {
			_ = g.conn.SetDeadline(time.Now().Add(farewell))
			_ = g.talk.send(g.conn, refuse, faultOf(err))
			d.refuse(g.conn, err, true)
			continue
		}
		j.add(g.Rank, g.conn)
		guests[g.Rank], peers[g.Rank] = g, address(g.conn, g.Port)
	}
	for _, g := range guests[1:] {
		if err := agree(mine, g.greeting); err != nil {
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
		if err := j.meet(rank, j.reach(i.Peers[rank])); err != nil {
			return &RankError{rank, fmt.Errorf("it cannot be reached from rank %d: %w", j.Rank, err)}
		}
	}
	for missing := j.World - 1 - j.Rank; missing > 0; {
		g, err := d.next()
		if err != nil {
			return err
		}
		if g.World != j.World || g.Rank <= j.Rank || g.Rank >= j.World || j.links[g.Rank] != nil || g.talk.send(g.conn, welcome, invitation{}) != nil {
			_ = g.conn.Close()
			continue
		}
		j.add(g.Rank, g.conn)
		missing--
	}
	return nil
}

// meet connects to a rank below this one and above 0. One that listens may send this one away
// while strangers crowd it, so that it is tried again for a while.
func (j *joining) meet(rank int, address string) error {
	for end := time.Now().Add(greetingTime); ; {
		conn, _, err := j.greet(address, greeting{World: j.World, Rank: j.Rank})
		if err == nil {
			j.add(rank, conn)
			return nil
		}
		if time.Now().After(end) || !j.rest(pause) {
			return err
		}
	}
}

// knock asks rank 0 until it answers.
func (j *joining) knock(port int) (invitation, error) {
	var told error
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
		if !errors.Is(told, errOtherKey) {
			told = err
		}
		if !j.rest(pause) {
			return invitation{}, fmt.Errorf("rank %d does not reach rank 0 at %s: %w: %w", j.Rank, j.Master, context.Cause(j.ctx), told)
		}
	}
}

// ask asks rank 0, and keeps the connection where it is welcome.
func (j *joining) ask(port int) (invitation, error) {
	conn, i, err := j.greet(j.Master, j.greeting(port))
	if err != nil {
		return invitation{}, err
	}
	if len(i.Peers) != j.World {
		_ = conn.Close()
		return invitation{}, errStranger
	}
	j.add(0, conn)
	return i, nil
}

// greet connects, says who this is and reads the answer, for which it waits until the end of the
// context: rank 0 answers when all are there.
func (j *joining) greet(address string, g greeting) (net.Conn, invitation, error) {
	dialer := net.Dialer{Timeout: greetingTime}
	conn, err := dialer.DialContext(j.ctx, "tcp", address)
	if err != nil {
		return nil, invitation{}, err
	}
	talk := &handshake{key: j.key}
	_ = conn.SetDeadline(time.Now().Add(greetingTime))
	unbind := bind(j.ctx, conn)
	defer unbind()
	var i invitation
	if err = talk.introduce(conn, g); err == nil {
		_ = conn.SetDeadline(time.Time{})
		if j.ctx.Err() != nil { // it may have ended in between
			_ = conn.SetDeadline(time.Unix(1, 0))
		}
		i, err = talk.answer(conn)
	}
	if err != nil {
		_ = conn.Close()
		return nil, invitation{}, err
	}
	return conn, i, nil
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
