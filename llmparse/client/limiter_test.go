package client

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// modelServer is a server of slots and a queue in virtual time: a request
// takes a free slot or waits in the queue for one, is refused where the queue
// is full, and holds its slot for a service time drawn with a coefficient of
// variation of about 0.5, in proportion to its tokens.
type modelServer struct {
	slots, queueLen int
	mean            float64 // seconds
	crowding        float64 // share by which a full server is slower than an idle one
	faults          float64 // share of requests refused whatever the load
	rng             *rand.Rand

	now     float64
	busy    int
	queue   []modelRequest
	pending ends
	worked  float64 // seconds of service given
	peak    int
}

type modelRequest struct {
	of     *limiter
	t      int
	sent   float64
	end    float64
	tokens int
	how    outcome
}

type ends []modelRequest

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].end < e[j].end }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(modelRequest)) }
func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func (s *modelServer) accept(l *limiter) {
	r := modelRequest{of: l, t: l.start(), sent: s.now, tokens: int(max(10, 100*math.Exp(0.47*s.rng.NormFloat64()-0.11)))}
	switch {
	case s.rng.Float64() < s.faults || s.busy >= s.slots && s.queueLen > 0 && len(s.queue) >= s.queueLen:
		r.how, r.end = refused, s.now+s.mean*0.02
		heap.Push(&s.pending, r)
	case s.busy < s.slots:
		s.serve(r)
	default:
		s.queue = append(s.queue, r)
	}
}

func (s *modelServer) serve(r modelRequest) {
	s.busy++
	crowd := 1 + s.crowding*float64(s.busy)/float64(s.slots)
	r.end = s.now + s.mean*float64(r.tokens)/100*crowd
	heap.Push(&s.pending, r)
}

// run drives the server through a client or several until virtual time `until`.
func (s *modelServer) run(until float64, clients ...*limiter) {
	for {
		inFlight := 0
		for _, l := range clients {
			for l.hasRoom() {
				s.accept(l)
			}
			inFlight += l.inFlight
		}
		s.peak = max(s.peak, inFlight)
		if len(s.pending) == 0 || s.pending[0].end > until {
			s.pass(until)
			return
		}
		r := heap.Pop(&s.pending).(modelRequest)
		s.pass(r.end)
		if r.how == served {
			s.busy--
			if len(s.queue) > 0 && s.busy < s.slots {
				next := s.queue[0]
				s.queue = s.queue[1:]
				s.serve(next)
			}
		}
		r.of.done(r.t, r.how, time.Duration((s.now-r.sent)*float64(time.Second)), r.tokens)
	}
}

// resize changes the slots, and lets those that queue have the new ones.
func (s *modelServer) resize(slots int) {
	s.slots = slots
	for s.busy < s.slots && len(s.queue) > 0 {
		s.serve(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// pass lets time pass while the same slots are busy.
func (s *modelServer) pass(until float64) {
	s.worked += (until - s.now) * s.pace(min(s.busy, s.slots))
	s.now = until
}

// pace is the seconds of service that so many busy slots give in a second.
func (s *modelServer) pace(busy int) float64 {
	return float64(busy) / (1 + s.crowding*float64(busy)/float64(s.slots))
}

// share runs the server until a time and returns what share it gave of the
// service that it could have given.
func (s *modelServer) share(until float64, clients ...*limiter) float64 {
	from, worked := s.now, s.worked
	s.run(until, clients...)
	return (s.worked - worked) / (until - from) / s.pace(s.slots)
}

func newModel(slots int, mean float64, seed uint64) *modelServer {
	return &modelServer{slots: slots, mean: mean, rng: rand.New(rand.NewPCG(seed, 1))}
}

// A server of C slots is filled without the limiter being told C.
func TestLimiterFindsCapacity(t *testing.T) {
	for _, slots := range []int{1, 8, 64, 512} {
		for _, mean := range []float64{0.05, 3} {
			t.Run(fmt.Sprintf("%d slots of %gs", slots, mean), func(t *testing.T) {
				const seeds = 10
				sum := 0.0
				for seed := range uint64(seeds) {
					s := newModel(slots, mean, seed)
					l := newLimiter(1, 1024)
					s.run(40*mean, l)
					sum += s.share(140*mean, l)
				}
				if got := sum / seeds; got < 0.97 {
					t.Errorf("throughput is %.3f of the ideal, want 0.97", got)
				}
			})
		}
	}
}

// Eight mean service times after the slots of a server have changed, it is full again.
func TestLimiterFollowsChange(t *testing.T) {
	for _, c := range []struct{ from, to int }{
		{8, 16}, {8, 64}, {8, 512}, {64, 512}, {100, 300}, {512, 256}, {512, 64}, {512, 8}, {64, 8}, {16, 8},
	} {
		t.Run(fmt.Sprintf("%d to %d", c.from, c.to), func(t *testing.T) {
			const seeds = 10
			full := 0.0
			for seed := range uint64(seeds) {
				s := newModel(c.from, 1, seed)
				l := newLimiter(1, 1024)
				at := 60 + float64(seed)*0.37
				s.run(at, l)
				s.resize(c.to)
				s.run(at+8, l)
				full += s.share(at+28, l) / seeds
			}
			if full < 0.97 {
				t.Errorf("throughput is %.3f of the ideal, want 0.97", full)
			}
		})
	}
}

// A small server gets no more requests than its queue is long for.
func TestLimiterBoundsTheQueue(t *testing.T) {
	for _, slots := range []int{1, 8, 32} {
		s := newModel(slots, 1, 1)
		s.run(2000, newLimiter(1, 4096))
		if most := 32 * max(slots, firstLimit); s.peak > most {
			t.Errorf("%d requests were in flight at %d slots, want %d at most", s.peak, slots, most)
		}
	}
}

// checkThroughput fails if the throughput of a server until a time is below a share of the ideal.
func checkThroughput(t *testing.T, s *modelServer, l *limiter, until, want float64) {
	t.Helper()
	if got := s.share(until, l); got < want {
		t.Errorf("throughput is %.3f of the ideal, want %g", got, want)
	}
}

// A server that slows as it fills is still worth filling.
func TestLimiterFillsServerThatSlows(t *testing.T) {
	s := newModel(128, 1, 1)
	s.crowding = 1
	l := newLimiter(1, 1024)
	s.run(60, l)
	checkThroughput(t, s, l, 200, 0.95)
}

// A server that refuses what its queue has no room for is kept full, and the
// limit falls if it is refused.
func TestLimiterBacksOffWhenRefused(t *testing.T) {
	s := newModel(64, 1, 1)
	s.queueLen = 32
	l := newLimiter(1, 1024)
	s.run(60, l)
	checkThroughput(t, s, l, 200, 0.95)
	if l.limit > 2*(64+32) {
		t.Errorf("limit is %d at a server that takes 96", l.limit)
	}
}

// Refusals that have nothing to do with the load do not slow the run.
func TestLimiterIgnoresRandomRefusals(t *testing.T) {
	s := newModel(64, 1, 1)
	s.faults = 0.2
	l := newLimiter(1, 1024)
	s.run(100, l)
	checkThroughput(t, s, l, 300, 0.9)
}

func TestLimiterKeepsWithinItsBounds(t *testing.T) {
	s := newModel(512, 1, 1)
	l := newLimiter(2, 100)
	s.run(100, l)
	if s.peak > 100 {
		t.Errorf("%d requests in flight, at most 100 are allowed", s.peak)
	}
	s.faults = 1
	s.run(200, l)
	if l.limit < 2 || l.limit > 100 {
		t.Errorf("limit is %d, not in 2 to 100", l.limit)
	}
}

// Parts that know nothing of each other fill an endpoint, and have no more in flight
// there than one process would; parts that end make room for others.
func TestLimitersOfParts(t *testing.T) {
	for _, parts := range []int{2, 16, 64} {
		for _, slots := range []int{8, 512} {
			t.Run(fmt.Sprintf("%d parts, %d slots", parts, slots), func(t *testing.T) {
				o := Defaults()
				o.OfPart(parts)
				s := newModel(slots, 1, 1)
				var clients []*limiter
				for range parts {
					clients = append(clients, newLimiter(o.MinInFlight, o.MaxInFlight))
				}
				s.run(40, clients...)
				for until := 140.0; until < 500; until += 100 {
					if got := s.share(until, clients...); got < 0.95 {
						t.Errorf("%.0f s: %.3f of the server is used", until, got)
					}
					gone := clients[0]
					gone.least, gone.most, gone.limit = 0, 0, 0
					clients = append(clients[1:], newLimiter(o.MinInFlight, o.MaxInFlight))
				}
				if most := Defaults().MaxInFlight + 3*o.MaxInFlight; s.peak > most {
					t.Errorf("%d requests were in flight, more than %d", s.peak, most)
				}
			})
		}
	}
}

// Requests that are not answered in time never raise the limit: fewer time-outs at a lower one are
// no proof that the load does not cause them.
func TestTimeOutsNeverRaiseTheLimit(t *testing.T) {
	l := newLimiter(1, 1024)
	highest := 0
	for range 400 {
		var sent []int
		for l.hasRoom() {
			sent = append(sent, l.start())
		}
		for i, s := range sent {
			if i < 2 {
				l.done(s, served, time.Minute, 50)
			} else {
				l.done(s, overdue, 2*time.Minute, 0)
			}
		}
		highest = max(highest, l.limit)
	}
	if highest > firstLimit {
		t.Errorf("the limit rose to %d", highest)
	}
}
