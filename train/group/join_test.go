package group

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// joinAll joins all places at once and closes the groups again.
func joinAll(places []Place, options func(rank int) Options) []error {
	return runPlaces(places, func(p Place) error {
		g, err := Join(context.Background(), p, options(p.Rank))
		if err == nil {
			err = g.Barrier()
			g.Close()
		}
		return err
	})
}

// wantErrors fails the test unless all errors contain the words.
func wantErrors(t *testing.T, errs []error, words ...string) {
	t.Helper()
	for rank, err := range errs {
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("rank %d: error %v, without %q", rank, err, w)
			}
		}
	}
}

func TestDifferentRecipesNameTheSetting(t *testing.T) {
	t.Parallel()
	errs := joinAll(places(t, 3), func(rank int) Options {
		recipe := "a1b2"
		if rank == 2 {
			recipe = "c3d4"
		}
		return Options{Timeout: 20 * time.Second, Terms: []Term{{"version", "1.0"}, {"recipe", recipe}}}
	})
	wantErrors(t, errs, "rank 2", `recipe is "c3d4"`, `rank 0 is "a1b2"`)
	errs = joinAll(places(t, 2), func(rank int) Options {
		return Options{Timeout: 20 * time.Second, Terms: []Term{{"version", "1.0"}, {"device", "cpu"}}[:1+rank]}
	})
	wantErrors(t, errs, "rank 1", `device is "cpu"`, `rank 0 is ""`)
}

// A process with a wrong rank, size or secret gets an error. The others still join.
func TestWrongRanksAreRefused(t *testing.T) {
	size := []string{"rank 2", "processes is 4", "rank 0 is 3"}
	stranger := []string{"it belongs to another job, or its CAPGRAPH_SECRET differs"}
	for name, c := range map[string]struct {
		change      func(*Place)
		words, zero []string // what it is told, and what rank 0 says without the right one
	}{
		"another size":   {func(p *Place) { p.World = 4 }, size, append(size, "ranks 1, 2 did not come")},
		"the same rank":  {func(p *Place) { p.Rank = 1 }, []string{"two processes say that they are rank 1"}, []string{"ranks 2 did not come"}},
		"another secret": {func(p *Place) { p.Secret = "b" }, stranger, stranger},
		"no secret":      {func(p *Place) { p.Secret = "" }, stranger, stranger},
		"another job":    {func(p *Place) { p.Job = "b" }, stranger, stranger},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := places(t, 3)
			for rank := range p {
				p[rank].Secret, p[rank].Job = "a", "a"
			}
			last, wrong := p[2], p[2]
			c.change(&wrong)
			away, once := make(chan struct{}), sync.Once{}
			errs := runPlaces(append(p, wrong), func(p Place) error {
				timeout := 20 * time.Second
				switch p {
				case wrong:
					if p.Rank == 2 && p.World == 3 { // it asks again and again
						timeout = 300 * time.Millisecond
					}
				case last:
					<-away // so that the others still wait
				}
				g, err := Join(context.Background(), p, Options{Timeout: timeout})
				if err != nil {
					once.Do(func() { close(away) })
					return err
				}
				return g.Close()
			})
			if wrong.Rank == 1 && errs[1] != nil { // it came first, and there is no telling which is right
				errs[1], errs[3] = errs[3], errs[1]
			}
			if err := errors.Join(errs[:3]...); err != nil {
				t.Error(err)
			}
			wantErrors(t, errs[3:], c.words...)

			// Without the right one, rank 0 says what was wrong.
			again := places(t, 3)[0]
			again.Secret, again.Job, wrong.Master = last.Secret, last.Job, again.Master
			wantErrors(t, joinAll([]Place{again, wrong}, func(int) Options { return Options{Timeout: time.Second} })[:1], c.zero...)
		})
	}
}

// Processes that know the secret may join, and the secret is not sent.
func TestTheSecretIsNotSent(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	p := places(t, 2)
	_, port, _ := net.SplitHostPort(p[0].Master)
	relay, err := net.Listen("tcp", "127.0.0.2:"+port)
	if err != nil {
		t.Skipf("127.0.0.2 is no address of this machine: %v", err)
	}
	defer relay.Close()
	var heard lockedBuffer
	go func() {
		for {
			from, err := relay.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", p[0].Master)
			if err != nil {
				from.Close()
				continue
			}
			go func() { _, _ = io.Copy(io.MultiWriter(to, &heard), from); to.Close() }()
			go func() { _, _ = io.Copy(io.MultiWriter(from, &heard), to); from.Close() }()
		}
	}()
	for rank := range p {
		p[rank].Secret = secret
	}
	p[1].Master = relay.Addr().String()
	if err := errors.Join(joinAll(p, func(int) Options { return Options{Timeout: 20 * time.Second, Terms: []Term{{"recipe", "overheard"}}} })...); err != nil {
		t.Fatal(err)
	}
	if said := heard.String(); !strings.Contains(said, "overheard") || strings.Contains(said, secret) {
		t.Errorf("%d bytes were heard, with or without the terms, or with the secret", len(said))
	}
	if said := fmt.Sprintf("%v %+v %#v", p[0], p[0], p[0]); strings.Contains(said, secret) {
		t.Error(said)
	}
}

// lockedBuffer is a buffer for several writers.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A recorded greeting is not accepted again. A process that listens in place of rank 0 without the
// secret can neither accept nor refuse anybody.
func TestImpostors(t *testing.T) {
	t.Parallel()
	p := places(t, 2)[1]
	p.Secret = "a"
	mine := &handshake{key: jobKey(p)}
	first, second := net.Pipe()
	defer first.Close()
	defer second.Close()
	heard := make(chan []byte, 1)
	go func() {
		var n nonce
		_ = readNonce(second, kindNonce, &n)
		_ = writeFrame(second, kindChallenge, n[:])
		_, hello, _ := readFrame(second)
		heard <- hello
	}()
	if err := mine.sendGreeting(first, greeting{World: 2, Rank: 1}); err != nil {
		t.Fatal(err)
	}
	replayed := <-heard
	if _, err := mine.parseGreeting(frameHeader{kind: kindGreeting}, replayed); err != nil {
		t.Fatal(err)
	}
	again := &handshake{key: mine.key, clientNonce: mine.clientNonce, serverNonce: newNonce()}
	if _, err := again.parseGreeting(frameHeader{kind: kindGreeting}, replayed); !errors.Is(err, errWrongKey) {
		t.Errorf("a replayed greeting: %v", err)
	}
	if _, err := mine.parseReply(frameHeader{kind: kindAccept}, replayed); !errors.Is(err, errWrongKey) {
		t.Errorf("a greeting that is sent back as an answer: %v", err)
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for kind := kindRefuse; ; kind = kindAccept + kindRefuse - kind {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			hs := &handshake{key: []byte("b")}
			_, _ = hs.receiveGreeting(conn)
			_ = hs.sendSigned(conn, kind, map[string]any{"rank": 0, "text": "go away", "peers": []string{"", ""}})
			conn.Close()
		}
	}()
	p.Master = l.Addr().String()
	errs := joinAll([]Place{p}, func(int) Options { return Options{Timeout: 500 * time.Millisecond} })
	wantErrors(t, errs, "not all processes came together within 500ms", "its CAPGRAPH_SECRET differs")
}

// TestDifferentSecretsFailSoon: a rank whose secret differs gives up long before the timeout, and rank 0
// tells of it while it waits.
func TestDifferentSecretsFailSoon(t *testing.T) {
	defer func(d time.Duration) { wrongKeyPatience = d }(wrongKeyPatience)
	wrongKeyPatience = 10 * time.Millisecond
	p := places(t, 2)
	p[0].Secret, p[1].Secret = "a", "b"
	ctx, cancel := context.WithCancelCause(t.Context())
	var warned []string
	errs := runPlaces(p, func(p Place) error {
		o := Options{Timeout: time.Hour, Warn: func(text string) { warned = append(warned, text) }}
		if p.Rank == 0 {
			_, err := Join(ctx, p, o)
			return err
		}
		_, err := Join(t.Context(), p, o)
		cancel(errors.New("the other rank ended"))
		return err
	})
	if errs[1] == nil || !strings.Contains(errs[1].Error(), "CAPGRAPH_SECRET differs: start all processes with the same") {
		t.Errorf("rank 1: %v", errs[1])
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "its CAPGRAPH_SECRET differs") {
		t.Errorf("warnings of rank 0: %q", warned)
	}
}

// Silent connections do not keep the other ranks out.
func TestSilentConnections(t *testing.T) {
	defer func(n int) { maxPending = n }(maxPending)
	maxPending = 4
	p := places(t, 2)
	errs := make(chan error, 1)
	go func() {
		g, err := Join(context.Background(), p[0], Options{Timeout: 5 * time.Second})
		if err == nil {
			err = g.Close()
		}
		errs <- err
	}()
	for n := 0; n < 3*maxPending; {
		conn, err := net.Dial("tcp", p[0].Master)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		defer conn.Close()
		n++
	}
	g, err := Join(context.Background(), p[1], Options{Timeout: 5 * time.Second})
	if err == nil {
		err = g.Close()
	}
	if err := errors.Join(err, <-errs); err != nil {
		t.Error(err)
	}
}

func TestMissingRanksAreNamed(t *testing.T) {
	t.Parallel()
	p := places(t, 4)
	errs := joinAll([]Place{p[0], p[2]}, func(int) Options { return Options{Timeout: 500 * time.Millisecond} })
	wantErrors(t, errs, "500ms")
	if !strings.Contains(errs[0].Error(), "ranks 1, 3 did not come") {
		t.Error(errs[0])
	}
}

func TestRankZeroIsMissing(t *testing.T) {
	t.Parallel()
	errs := joinAll(places(t, 2)[1:], func(int) Options { return Options{Timeout: 300 * time.Millisecond} })
	wantErrors(t, errs, "rank 1 does not reach rank 0 at 127.0.0.1:", "300ms")
}

func TestLateRanksAreWaitedFor(t *testing.T) {
	t.Parallel()
	for late := range 3 {
		errs := runPlaces(places(t, 3), func(p Place) error {
			if p.Rank == late {
				time.Sleep(50 * time.Millisecond)
			}
			g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second})
			if err != nil {
				return err
			}
			return g.Close()
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("rank %d is late: %v", late, err)
		}
	}
}

func TestARankThatIsStartedAgainMayJoin(t *testing.T) {
	t.Parallel()
	p := places(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan struct{})
	time.AfterFunc(50*time.Millisecond, cancel)
	errs := runPlaces(p, func(p Place) error {
		if p.Rank == 1 {
			if _, err := Join(ctx, p, Options{Timeout: 20 * time.Second}); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("error %v", err)
			}
			close(gone)
		}
		if p.Rank == 2 {
			<-gone
			time.Sleep(300 * time.Millisecond) // until it is there again, which nobody tells
		}
		g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second})
		if err != nil {
			return err
		}
		return g.Close()
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

func TestJoiningEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for rank := range 2 {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		_, err := Join(ctx, places(t, 2)[rank], Options{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d: error %v", rank, err)
		}
	}
}

func TestUnknownPeersAreRefused(t *testing.T) {
	t.Parallel()
	p := places(t, 2)
	other := p[1]
	other.Job = "another"
	head := func(b ...byte) []byte { return append(b, make([]byte, headerBytes-len(b))...) }
	strangers := [][]byte{
		{}, []byte("GET / HTTP/1.1\r\n\r\n"), make([]byte, 1<<16),
		head('c', 'g', version, byte(kindGreeting), 255, 255, 255, 255),
		append(head('c', 'g', version, byte(kindGreeting), 2), "{}"...), append(head('c', 'g', version, byte(kindNonce), 1), 0), head('c', 'g', version, byte(kindNonce), nonceBytes), head('c', 'g', version+1, byte(kindGreeting)),
		head('c', 'g', version, byte(kindBlock)),
	}
	var silent, loud sync.WaitGroup
	away, errs := make(chan struct{}), make(chan []error)
	go func() {
		errs <- runPlaces(p, func(p Place) error {
			if p.Rank == 1 {
				<-away
			}
			g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second})
			if err != nil {
				return err
			}
			return g.Close()
		})
	}()
	for _, bytes := range strangers {
		come := &loud
		if len(bytes) == 0 || len(bytes) == headerBytes && bytes[3] == byte(kindNonce) { // more is waited for until the end
			come = &silent
		}
		come.Go(func() {
			for range 100 {
				conn, err := net.Dial("tcp", p[0].Master)
				if err != nil {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				_, _ = conn.Write(bytes)
				_, _ = io.Copy(io.Discard, conn) // until it is sent away
				conn.Close()
				return
			}
		})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := Join(ctx, other, Options{}); err == nil {
		t.Error("a process of another job may join")
	}
	loud.Wait()
	close(away)
	if err := errors.Join(<-errs...); err != nil {
		t.Error(err)
	}
	silent.Wait()
}

func TestAnotherVersionIsNamed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_, _, _ = readFrame(conn)
			_, _ = conn.Write([]byte{'c', 'g', version + 1, byte(kindRefuse), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
			conn.Close()
		}
	}()
	_, err = Join(context.Background(), Place{Rank: 1, World: 2, LocalRank: 1, LocalWorld: 2, Master: l.Addr().String()}, Options{})
	wantErrors(t, []error{err}, fmt.Sprint("version ", version+1), "start the same capgraph everywhere")
}

func TestAPortThatIsTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = Join(context.Background(), Place{World: 2, LocalWorld: 2, Master: l.Addr().String()}, Options{Timeout: 300 * time.Millisecond})
	wantErrors(t, []error{err}, "rank 0: it cannot listen", PortVariable)
}

func TestImpossiblePlaces(t *testing.T) {
	t.Parallel()
	for _, p := range []Place{
		{}, {Rank: 2, World: 2, LocalWorld: 1, Master: "h:1"}, {World: 2, LocalWorld: 1, Master: "h"},
		{World: 2, LocalWorld: 1}, {Rank: 1, World: 2, LocalWorld: 1}, {World: maxWorld + 1, LocalWorld: 1, Master: "h:1"},
	} {
		if _, err := Join(context.Background(), p, Options{Timeout: 200 * time.Millisecond}); err == nil {
			t.Errorf("%+v may join", p)
		}
	}
}
