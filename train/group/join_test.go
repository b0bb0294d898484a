package group

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// joinAll joins all places at once; those that get in leave again.
func joinAll(places []Place, options func(rank int) Options) []error {
	return each(places, func(p Place) error {
		g, err := Join(context.Background(), p, options(p.Rank))
		if err == nil {
			err = g.Barrier()
			g.Close()
		}
		return err
	})
}

// named fails unless all errors have the words.
func named(t *testing.T, errs []error, words ...string) {
	t.Helper()
	for rank, err := range errs {
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("rank %d: error %v, without %q", rank, err, w)
			}
		}
	}
}

func TestRanksOfDifferentRecipesAreToldInWhat(t *testing.T) {
	errs := joinAll(places(t, 3), func(rank int) Options {
		recipe := "a1b2"
		if rank == 2 {
			recipe = "c3d4"
		}
		return Options{Timeout: 20 * time.Second, Terms: []Term{{"version", "1.0"}, {"recipe", recipe}}}
	})
	named(t, errs, "rank 2", `recipe is "c3d4"`, `rank 0 is "a1b2"`)
	errs = joinAll(places(t, 2), func(rank int) Options {
		return Options{Timeout: 20 * time.Second, Terms: []Term{{"version", "1.0"}, {"device", "cpu"}}[:1+rank]}
	})
	named(t, errs, "rank 1", `device is "cpu"`, `rank 0 is ""`)
}

func TestWorldsOfDifferentSizes(t *testing.T) {
	p := places(t, 2)
	p[1].World = 3
	named(t, joinAll(p, func(int) Options { return Options{Timeout: 20 * time.Second} }), "rank 1", "processes is 3", "rank 0 is 2")
}

func TestTwoOfTheSameRank(t *testing.T) {
	p := places(t, 3)
	p[2].Rank = 1
	named(t, joinAll(p, func(int) Options { return Options{Timeout: 20 * time.Second} }), "rank 1")
}

func TestThoseThatDoNotComeAreNamed(t *testing.T) {
	p := places(t, 4)
	errs := joinAll([]Place{p[0], p[2]}, func(int) Options { return Options{Timeout: 500 * time.Millisecond} })
	named(t, errs, "500ms")
	if !strings.Contains(errs[0].Error(), "ranks 1, 3 did not come") {
		t.Error(errs[0])
	}
}

func TestRankZeroDoesNotCome(t *testing.T) {
	errs := joinAll(places(t, 2)[1:], func(int) Options { return Options{Timeout: 300 * time.Millisecond} })
	named(t, errs, "rank 1 does not reach rank 0 at 127.0.0.1:", "300ms")
}

func TestLateRanksAreWaitedFor(t *testing.T) {
	for late := range 3 {
		errs := each(places(t, 3), func(p Place) error {
			if p.Rank == late {
				time.Sleep(300 * time.Millisecond)
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
	p := places(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	errs := each(p, func(p Place) error {
		if p.Rank == 1 {
			if _, err := Join(ctx, p, Options{Timeout: 20 * time.Second}); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("error %v", err)
			}
		}
		if p.Rank == 2 {
			time.Sleep(600 * time.Millisecond)
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
	for rank := range 2 {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		start := time.Now()
		_, err := Join(ctx, places(t, 2)[rank], Options{})
		if !errors.Is(err, context.Canceled) || time.Since(start) > 2*time.Second {
			t.Errorf("rank %d: error %v after %v", rank, err, time.Since(start))
		}
	}
}

func TestStrangersAreSentAway(t *testing.T) {
	p := places(t, 2)
	other := p[1]
	other.Job = "another"
	head := func(b ...byte) []byte { return append(b, make([]byte, headBytes-len(b))...) }
	strangers := [][]byte{
		{}, []byte("GET / HTTP/1.1\r\n\r\n"), make([]byte, 1<<16),
		head('c', 'g', version, byte(hello), 255, 255, 255, 255),
		head('c', 'g', version, byte(hello), 2), head('c', 'g', version+1, byte(hello)),
		head('c', 'g', version, byte(block)),
	}
	var come []chan struct{}
	errs := make(chan []error)
	go func() {
		errs <- each(p, func(p Place) error {
			if p.Rank == 1 {
				time.Sleep(500 * time.Millisecond)
			}
			g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second})
			if err != nil {
				return err
			}
			return g.Close()
		})
	}()
	for _, bytes := range strangers {
		done := make(chan struct{})
		come = append(come, done)
		go func() {
			defer close(done)
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
		}()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := Join(ctx, other, Options{}); err == nil {
		t.Error("a process of another job may join")
	}
	if err := errors.Join(<-errs...); err != nil {
		t.Error(err)
	}
	for _, done := range come {
		<-done
	}
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
			_, _ = conn.Write([]byte{'c', 'g', version + 1, byte(refuse), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
			conn.Close()
		}
	}()
	_, err = Join(context.Background(), Place{Rank: 1, World: 2, LocalRank: 1, LocalWorld: 2, Master: l.Addr().String()}, Options{})
	named(t, []error{err}, "version 2", "start the same capgraph everywhere")
}

func TestAPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = Join(context.Background(), Place{World: 2, LocalWorld: 2, Master: l.Addr().String()}, Options{Timeout: 300 * time.Millisecond})
	named(t, []error{err}, "rank 0: it cannot listen", PortVariable)
}

func TestPlacesThatCannotBe(t *testing.T) {
	for _, p := range []Place{
		{}, {Rank: 2, World: 2, LocalWorld: 1, Master: "h:1"}, {World: 2, LocalWorld: 1, Master: "h"},
		{World: 2, LocalWorld: 1}, {Rank: 1, World: 2, LocalWorld: 1}, {World: most + 1, LocalWorld: 1, Master: "h:1"},
	} {
		if _, err := Join(context.Background(), p, Options{Timeout: 200 * time.Millisecond}); err == nil {
			t.Errorf("%+v may join", p)
		}
	}
}
