package llmparse

import (
	"math"
	"time"
)

// The constants of the limiter; docs/decisions/concurrency.md says why each.
const (
	judgedSamples = 40   // requests that tell how many are refused
	firstLimit    = 8    // requests in flight before anything is known
	leastSamples  = 8    // requests an epoch counts at least
	worthIt       = 1.2  // throughput a doubling must gain to be followed by another
	headroom      = 1.5  // of the requests that fill the server, so that its queue is never empty
	headroomFixed = 4    // and this many more: a small server's queue empties by chance
	freed         = 1.2  // throughput at an unchanged limit that says the server has grown
	idle          = 1.15 // latency against that of an unqueued request that says no request queues
	queued        = 2.5  // latency against that of an unqueued request that says it has shrunk
	stillFull     = 0.9  // throughput a lower limit must keep to be kept itself
	refusedShare  = 0.05 // refusals in an epoch that say the server is overloaded
	cut           = 0.7  // the limit's fall when it is
	probeEvery    = 16   // epochs between two tries at a higher limit
	gentle        = 1.25 // the step of such a try where the server has refused before
)

// outcome is how a request ended, as far as the limiter is concerned.
type outcome int

const (
	served   outcome = iota // answered: its latency counts
	refused                 // 429, 503 or a time-out: says that the server is overloaded
	broken                  // any other failure: says nothing of the load
	declined                // the server works and will not answer this: says nothing of the load
)

// ticket is one request in flight: the epoch that it was sent in.
type ticket int

type phase int

const (
	climbing   phase = iota // each epoch a higher limit, while throughput follows
	holding                 // the limit stands; watches for a change
	descending              // tries a lower limit because requests queue
)

// level is what an epoch measured: at n requests in flight one token takes
// perToken seconds of a request's time, so the endpoint yields n/perToken
// tokens a second (Little's law).
type level struct{ n, perToken, refusals float64 }

func (l level) throughput() float64 { return l.n / l.perToken }

// limiter finds how many requests in flight fill one endpoint without being
// told. It proceeds in epochs; an epoch counts only requests that were sent
// after its limit was set, so that what it measures is that limit's doing. It
// is not safe for concurrent use and reads no clock.
type limiter struct {
	least, most int
	limit       int
	inFlight    int

	phase     phase
	before    level   // the level that the present one is compared with
	unqueued  float64 // seconds a token takes where requests do not queue
	held      int     // epochs since the last try at a higher limit
	step      float64 // factor of the next climb
	tolerated float64 // share of refusals that a lower limit did not lower
	sent      int     // requests since the refusals were last judged
	turned    int     // refused of them

	// The epoch.
	epoch            int
	skip, seen, n    int
	refusals         int
	seconds, tokens  float64
	inFlightSum      float64
	cutting, settled bool
}

// newLimiter makes a limiter whose limit stays between least and most.
func newLimiter(least, most int) *limiter {
	l := &limiter{least: least, most: most, limit: min(max(firstLimit, least), most), step: 2}
	l.begin(false)
	return l
}

// begin starts an epoch; changed says that the limit is a new one, whose
// first requests see the queue of the old.
func (l *limiter) begin(changed bool) {
	l.epoch++
	l.skip, l.seen, l.n, l.refusals = 0, 0, 0, 0
	l.seconds, l.tokens, l.inFlightSum = 0, 0, 0
	if changed {
		l.skip = l.want() / 2
	}
}

func (l *limiter) want() int {
	if l.cutting {
		return max(judgedSamples, l.limit)
	}
	return max(leastSamples, l.limit)
}

// room says whether one more request may be sent.
func (l *limiter) room() bool { return l.inFlight < l.limit }

// start counts a request as in flight.
func (l *limiter) start() ticket {
	l.inFlight++
	return ticket(l.epoch)
}

// done counts a request as ended, after latency and with so many tokens
// written (1 where the server does not say).
func (l *limiter) done(t ticket, how outcome, latency time.Duration, tokens int) {
	inFlight := l.inFlight
	l.inFlight--
	if int(t) != l.epoch || how == broken || how == declined {
		return
	}
	l.seen++
	if how == refused {
		l.refusals++
	} else if l.seen > l.skip {
		l.n++
		l.seconds += latency.Seconds()
		l.tokens += float64(max(tokens, 1))
		l.inFlightSum += float64(inFlight)
	}
	if l.seen >= l.want() {
		l.decide()
	}
}

// decide ends an epoch.
func (l *limiter) decide() {
	if l.cutting {
		l.judgeCut(float64(l.refusals) / float64(l.seen))
		return
	}
	if share, overloaded := l.overloaded(); overloaded {
		l.before = level{n: float64(l.limit), refusals: share}
		l.cutting = true
		l.move(float64(l.limit)*cut, holding)
		return
	}
	if l.n == 0 {
		l.begin(false)
		return
	}
	now := level{n: l.inFlightSum / float64(l.n), perToken: l.seconds / l.tokens}
	switch l.phase {
	case climbing:
		l.climb(now)
	case holding:
		l.hold(now)
	case descending:
		l.descend(now)
	}
}

// overloaded says whether more requests were refused than chance explains, and
// what share. It waits for enough requests, over several epochs if need be,
// unless most of one are refused.
func (l *limiter) overloaded() (share float64, yes bool) {
	l.sent += l.seen
	l.turned += l.refusals
	if 2*l.refusals <= l.seen && l.sent < judgedSamples {
		return 0, false
	}
	usual := float64(l.sent) * (l.tolerated + refusedShare)
	share, yes = float64(l.turned)/float64(l.sent), float64(l.turned) > usual+2*math.Sqrt(usual)
	l.sent, l.turned = 0, 0
	return share, yes
}

// judgeCut asks whether a lower limit has lowered the share of refusals. Where
// it has not, they are not about the load: the limit returns and as large a
// share is ignored from now on.
func (l *limiter) judgeCut(share float64) {
	l.cutting = false
	if share > l.before.refusals*cut {
		l.tolerated, l.held = share, probeEvery
		l.move(l.before.n, holding)
		return
	}
	l.tolerated *= cut
	l.step, l.settled = gentle, false
	l.move(float64(l.limit), holding)
}

// climb compares an epoch with the one before it at a lower limit.
func (l *limiter) climb(now level) {
	switch {
	case now.n < stillFull*float64(l.limit): // too few texts to fill the limit: nothing learnt
		l.settle(now, l.limit)
		l.held = probeEvery
	case l.before.n == 0, now.throughput() >= l.before.throughput()*(1+(worthIt-1)*(l.step-1)):
		l.raise(now)
	default:
		l.unqueued = l.before.perToken
		full := now.throughput() * l.unqueued
		l.settle(now, int(min(max(headroom*full+headroomFixed, l.before.n), float64(l.limit))))
	}
}

// raise starts an epoch at a higher limit, to be compared with now.
func (l *limiter) raise(now level) {
	l.before = now
	if l.limit == l.most {
		l.unqueued = now.perToken
		l.settle(now, l.most)
		return
	}
	l.move(float64(l.limit)*l.step, climbing)
}

// settle ends a climb or a descent at limit.
func (l *limiter) settle(now level, limit int) {
	if l.unqueued == 0 {
		l.unqueued = now.perToken
	}
	l.held, l.settled, l.step = 0, false, 2
	l.move(float64(limit), holding)
}

// hold watches a limit that was found.
func (l *limiter) hold(now level) {
	if now.n < stillFull*float64(l.limit) {
		l.begin(false)
		return
	}
	if !l.settled {
		l.settled, l.before = true, now
	}
	l.held++
	switch {
	case l.unqueued > 0 && now.perToken > queued*l.unqueued && l.limit > l.least:
		l.before = now
		l.move(max(float64(l.limit)*0.6, headroom*now.throughput()*l.unqueued+headroomFixed), descending)
	case now.throughput() > freed*l.before.throughput(), now.perToken < idle*l.unqueued, l.held >= probeEvery:
		l.held = 0
		l.raise(now)
	default:
		l.begin(false)
	}
}

// descend asks whether a lower limit yields as much as the higher one did.
func (l *limiter) descend(now level) {
	if now.throughput() < stillFull*l.before.throughput() {
		l.unqueued = now.perToken // the requests did not queue, they have become slower
		l.settle(now, int(l.before.n))
		return
	}
	l.settle(now, l.limit)
}

// move sets the limit and starts an epoch.
func (l *limiter) move(limit float64, p phase) {
	l.phase = p
	next := min(max(int(limit), l.least), l.most)
	changed := next != l.limit
	l.limit = next
	l.begin(changed)
}
