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

// listenTimeout is how long rank 0 tries to listen on its port, which may still be in use by an earlier run.
const listenTimeout = 5 * time.Second

// The pause before the next attempt begins at firstPause and doubles up to maxPause.
const (
	firstPause = 5 * time.Millisecond
	maxPause   = 100 * time.Millisecond
)

// wrongKeyPatience is how long a process retries if rank 0 has another key. It may be the rank 0 of an earlier run that
// has not ended yet.
var wrongKeyPatience = 20 * time.Second

// joinAsRankZero waits until all other ranks have connected, compares their greetings with its own, and replies to each
// with the addresses of the others, or with the reason why they cannot join.
func (j *joiner) joinAsRankZero() error {
	var l *listener
	end := time.Now().Add(listenTimeout)
	for attempt := 0; ; attempt++ {
		var err error
		if l, err = j.listen(portOf(j.Master)); err == nil {
			break
		}
		if time.Now().After(end) || !j.waitRetry(attempt) {
			return &RankError{0, fmt.Errorf("it cannot listen: %w; set %s, for all ranks, to a port that is free", err, PortVariable)}
		}
	}
	defer l.close()
	peers := make([]peer, j.World)
	addresses, err := j.collectPeers(l, peers)
	for rank, p := range peers {
		if p.conn == nil {
			continue
		}
		_ = p.conn.SetDeadline(time.Now().Add(greetingTimeout))
		if err != nil {
			_ = p.handshake.sendSigned(p.conn, kindRefuse, toFault(err))
		} else if e := p.handshake.sendSigned(p.conn, kindAccept, peerList{addresses}); e != nil {
			err = &RankError{rank, fmt.Errorf("it is gone: %w", e)}
		}
	}
	return err
}

// collectPeers waits until all other ranks have connected and checks that their terms agree. It stores them in peers,
// by rank, and returns their addresses. A process with a wrong rank or world size is rejected, and the wait continues.
func (j *joiner) collectPeers(l *listener, peers []peer) ([]string, error) {
	own, addresses := j.ownGreeting(0), make([]string, j.World)
	for missing := j.World - 1; missing > 0; {
		p, err := l.nextPeer()
		if err != nil {
			return nil, fmt.Errorf("%s did not come: %w", j.missingRanks(), err)
		}
		switch {
		case p.World != j.World:
			err = checkAgreement(own, p.greeting)
		case p.Rank < 1 || p.Rank >= j.World:
			err = fmt.Errorf("a process says that it is rank %d of %d", p.Rank, p.World)
		case j.links[p.Rank] == nil:
			missing-- // terms are checked when all have connected, so that all get the error
		case !isClosed(j.links[p.Rank].conn):
			err = fmt.Errorf("two processes say that they are rank %d", p.Rank)
		default: // it was restarted
			err = j.links[p.Rank].conn.Close()
		}
		if err != nil {
			_ = p.conn.SetDeadline(time.Now().Add(closeTimeout))
			_ = p.handshake.sendSigned(p.conn, kindRefuse, toFault(err))
			l.rejectPeer(p.conn, err, true)
			continue
		}
		j.addLink(p.Rank, p.conn)
		peers[p.Rank], addresses[p.Rank] = p, listenAddress(p.conn, p.Port)
	}
	for _, p := range peers[1:] {
		if err := checkAgreement(own, p.greeting); err != nil {
			return nil, err
		}
	}
	return addresses, nil
}

// listenAddress returns the address at which a peer listens, as rank 0 sees it. The host is empty
// if the peer is on the machine of rank 0.
func listenAddress(conn net.Conn, port int) string {
	host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
	if net.ParseIP(host).IsLoopback() {
		host = ""
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

// isClosed reports whether the peer has closed a connection. It must not have sent data that were not read.
func isClosed(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	defer conn.SetReadDeadline(time.Time{})
	_, err := conn.Read(make([]byte, 1))
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// missingRanks returns the list of ranks that have not connected to rank 0, as text.
func (j *joiner) missingRanks() string {
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

// joinThroughRankZero joins the group as a rank other than 0. It gets the addresses of the others from rank 0, connects
// to lower ranks and waits for higher ones.
func (j *joiner) joinThroughRankZero() error {
	l, err := j.listen("0")
	if err != nil {
		return fmt.Errorf("rank %d cannot listen: %w", j.Rank, err)
	}
	defer l.close()
	list, err := j.askRankZero(l.Addr().(*net.TCPAddr).Port)
	if err != nil {
		return err
	}
	for rank := 1; rank < j.Rank; rank++ {
		if err := j.connectTo(rank, j.resolvePeer(list.Peers[rank])); err != nil {
			return &RankError{rank, fmt.Errorf("it cannot be reached from rank %d: %w", j.Rank, err)}
		}
	}
	for missing := j.World - 1 - j.Rank; missing > 0; {
		p, err := l.nextPeer()
		if err != nil {
			return err
		}
		if p.World != j.World || p.Rank <= j.Rank || p.Rank >= j.World || j.links[p.Rank] != nil || p.handshake.sendSigned(p.conn, kindAccept, peerList{}) != nil {
			_ = p.conn.Close()
			continue
		}
		j.addLink(p.Rank, p.conn)
		missing--
	}
	return nil
}

// connectTo connects to a lower rank other than 0. It retries for a while, because that rank may drop connections while
// it has too many without a greeting.
func (j *joiner) connectTo(rank int, address string) error {
	end := time.Now().Add(greetingTimeout)
	for attempt := 0; ; attempt++ {
		conn, _, err := j.dialPeer(address, greeting{World: j.World, Rank: j.Rank})
		if err == nil {
			j.addLink(rank, conn)
			return nil
		}
		if time.Now().After(end) || !j.waitRetry(attempt) {
			return err
		}
	}
}

// askRankZero sends greetings to rank 0 until it replies with the peer list.
func (j *joiner) askRankZero(port int) (peerList, error) {
	var last error
	var since time.Time // when a rank 0 with another key was first seen
	for attempt := 0; ; attempt++ {
		list, err := j.requestPeers(port)
		if err == nil {
			return list, nil
		}
		_, refused := errors.AsType[*RankError](err)
		_, otherVersion := errors.AsType[versionError](err)
		if refused || otherVersion {
			return peerList{}, err
		}
		if !errors.Is(last, errWrongKey) {
			last = err
		}
		if !errors.Is(err, errWrongKey) {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		} else if time.Since(since) > wrongKeyPatience {
			return peerList{}, fmt.Errorf("rank %d reaches rank 0 at %s, but %w: start all processes with the same", j.Rank, j.Master, errWrongKey)
		}
		if !j.waitRetry(attempt) {
			return peerList{}, fmt.Errorf("rank %d does not reach rank 0 at %s: %w: %w", j.Rank, j.Master, context.Cause(j.ctx), last)
		}
	}
}

// requestPeers sends one greeting to rank 0. If rank 0 accepts, it keeps the connection as the link and returns the
// peer list.
func (j *joiner) requestPeers(port int) (peerList, error) {
	conn, list, err := j.dialPeer(j.Master, j.ownGreeting(port))
	if err != nil {
		return peerList{}, err
	}
	if len(list.Peers) != j.World {
		_ = conn.Close()
		return peerList{}, errNotProtocol
	}
	j.addLink(0, conn)
	return list, nil
}

// dialPeer connects to a rank, sends a greeting and waits for the reply until the context ends, since rank 0 replies
// only when all ranks have connected.
func (j *joiner) dialPeer(address string, g greeting) (net.Conn, peerList, error) {
	dialer := net.Dialer{Timeout: greetingTimeout}
	conn, err := dialer.DialContext(j.ctx, "tcp", address)
	if err != nil {
		return nil, peerList{}, err
	}
	hs := &handshake{key: j.key}
	_ = conn.SetDeadline(time.Now().Add(greetingTimeout))
	unbind := bindContext(j.ctx, conn)
	var list peerList
	if err = hs.sendGreeting(conn, g); err == nil {
		_ = conn.SetDeadline(time.Time{})
		if j.ctx.Err() != nil { // the context may have ended just before the deadline was set
			_ = conn.SetDeadline(time.Unix(1, 0))
		}
		list, err = hs.receiveReply(conn)
	}
	if !unbind() && err == nil {
		err = context.Cause(j.ctx)
	}
	if err != nil {
		_ = conn.Close()
		return nil, peerList{}, err
	}
	return conn, list, nil
}

// resolvePeer returns an address of the peer list with its host, or the host of rank 0 if it has none.
func (j *joiner) resolvePeer(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err == nil && host == "" {
		host, _, _ = net.SplitHostPort(j.links[0].conn.RemoteAddr().String())
	}
	return net.JoinHostPort(host, port)
}

// waitRetry waits after failed attempt number attempt, from 0. It returns false if the context has ended.
func (j *joiner) waitRetry(attempt int) bool {
	select {
	case <-time.After(min(firstPause<<min(attempt, 10), maxPause)):
		return true
	case <-j.ctx.Done():
		return false
	}
}
