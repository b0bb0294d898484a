package llmparse

import (
	"math"
	"time"
)

// The constants of the limiter; docs/decisions/0008-adapt-requests-in-flight.md
// says why each.
const (
	firstLimit    = 8    // requests in flight before anything is known
	leastSamples  = 8    // requests that tell anything at all
	windowSamples = 16   // requests that tell throughput
	judgedSamples = 40   // requests that tell how many are refused
	double        = 2    // the step of a climb
	leap          = 4    // the step if nothing queues at all
	gentle        = 1.25 // the step where the server has refused before
	worthIt       = 0.2  // share of a step that throughput must gain for another step to follow
	inProportion  = 0.65 // share of a step that it gains where few requests queue
	headroom      = 1.5  // of the requests that fill the server, so that its queue is never empty
	headroomFixed = 4    // and this many more: a small server's queue empties by chance
	freed         = 1.2  // throughput at an unchanged limit that says the server has grown
	idle          = 1.15 // latency against that of an unqueued request that says no request queues
	spare         = 1.3  // the same of a whole epoch: fewer queue than headroom is meant for
	shrunk        = 2.5  // limit against the requests that fill the server that says it has shrunk
	collapsed     = 0.5  // throughput against that of a lower limit that says it has shrunk meanwhile
	stillFull     = 0.9  // throughput a lower limit must keep to be kept itself
	forgiven      = 0.8  // of what is held to be slowness, whenever a lower limit is kept
	refusedShare  = 0.05 // refusals in an epoch that say the server is overloaded
	cut           = 0.7  // the limit's fall when it is
	probeEvery    = 16   // epochs between two tries at a higher limit
)

// outcome is how a request ended, as far as the limiter is concerned.
type outcome int

const (
	served   outcome = iota // answered: its latency counts
	refused                 // 429 or 503: says that the server is overloaded
	overdue                 // no answer in time: says the same, and that it was never idle
	broken                  // any other failure: says nothing of the load
	declined                // the server works and will not answer this: says nothing of the load
)

// ticket is one request in flight: the epoch that it was sent in, and as which.
type ticket struct{ epoch, nth int }

type phase int

const (
	climbing   phase = iota // each epoch a higher limit, while throughput follows
	holding                 // the limit stands; watches for a change
	descending              // what is in flight drains to a lower limit, which is then judged
)

// level is what an epoch measured: with n requests in flight one token takes
// perToken seconds of a request's time, so the endpoint yields n/perToken
// tokens a second (Little's law).
type level struct{ n, perToken float64 }

func (l level) throughput() float64 { return l.n / l.perToken }

// sum adds up requests that were answered.
type sum struct {
	n                         int
	seconds, tokens, inFlight float64
}

func (s *sum) add(seconds, tokens, inFlight float64) {
	s.n++
	s.seconds += seconds
	s.tokens += tokens
	s.inFlight += inFlight
}

func (s *sum) level() level {
	return level{n: s.inFlight / float64(s.n), perToken: s.seconds / s.tokens}
}

// limiter finds how many requests in flight fill one endpoint without being
// told. It proceeds in epochs; an epoch counts only requests that were sent
// under its limit, so that what it measures is that limit's doing. It is not
// safe for concurrent use and reads no clock.
type limiter struct {
	least, most int
	limit       int
	inFlight    int

	phase    phase
	before   level   // what the present level is compared with
	unqueued float64 // seconds a token takes where requests do not queue; 0 until known
	slowed   float64 // how many times as long it takes in a full server that does not queue
	step     float64 // factor of the last step upwards
	held     int     // epochs since the last try at a higher limit
	settled  bool    // before was measured under the limit that is held

	// Refusals.
	sent, turned int     // requests since they were last judged, and the refused of them
	cutting      bool    // the epoch asks whether a lower limit lowers their share
	uncut        int     // the limit before
	share        float64 // their share before
	tolerated    float64 // the share that a lower limit did not lower
	wary         bool    // a lower limit did: climb gently

	// The epoch.
	epoch, started int
	skip           int // its first requests, which see a queue that still grows
	refusals       int
	late           int // of the refusals, those that were overdue
	all, last      sum // its answered requests, and the last few of them

	// A window in which throughput is read from the clock, whenever its requests
	// were sent.
	window sum
	opened time.Time
	slack  bool // there was room for more requests than came
}

// newLimiter makes a limiter whose limit stays between least and most.
func newLimiter(least, most int) *limiter {
	return &limiter{least: least, most: most, limit: min(max(firstLimit, least), most), step: double, slowed: 1}
}

// hasRoom reports whether one more request may be sent.
func (l *limiter) hasRoom() bool { return l.inFlight < l.limit }

// start counts a request as in flight.
func (l *limiter) start() ticket {
	l.inFlight++
	l.started++
	return ticket{l.epoch, l.started}
}

// done counts a request as ended now, after latency and with so many tokens
// written (1 if the server does not say).
func (l *limiter) done(t ticket, how outcome, now time.Time, latency time.Duration, tokens int) {
	inFlight, seconds, written := float64(l.inFlight), latency.Seconds(), float64(max(tokens, 1))
	l.inFlight--
	if how == served {
		l.watchLoad(now, seconds, written, inFlight)
	}
	if t.epoch != l.epoch {
		return
	}
	switch {
	case how == refused, how == overdue:
		l.refusals++
		if how == overdue {
			l.late++
		}
	case how == served && t.nth > l.skip:
		l.all.add(seconds, written, inFlight)
		l.last.add(seconds, written, inFlight)
	default:
		return
	}
	if l.all.n+l.refusals >= l.windowSize() {
		l.decideLimit()
	} else if l.last.n >= max(leastSamples, l.limit/16) {
		l.checkEarly(l.last.level())
	}
}

// windowSize returns how many requests make a window.
func (l *limiter) windowSize() int {
	switch {
	case l.cutting:
		return max(judgedSamples, l.limit)
	case l.phase == descending:
		return max(windowSamples, l.limit)
	}
	return max(leastSamples, l.limit)
}

// beginWindow starts an epoch; what is sent at once to fill a limit sees the queue
// grow, but for the last quarter.
func (l *limiter) beginWindow() {
	l.epoch++
	l.started, l.skip = 0, max(0, l.limit-l.inFlight-1)*3/4
	l.refusals, l.late, l.all, l.last = 0, 0, sum{}, sum{}
}

// setLimit sets the limit and starts an epoch.
func (l *limiter) setLimit(limit float64, p phase) {
	l.phase = p
	l.limit = min(max(int(limit), l.least), l.most)
	l.beginWindow()
}

// decideLimit ends an epoch.
func (l *limiter) decideLimit() {
	seen := float64(l.all.n + l.refusals)
	if l.cutting {
		l.judgeCut(float64(l.refusals) / seen)
		return
	}
	if share, overloaded := l.overloadShare(); overloaded {
		l.cutting, l.uncut, l.share = true, l.limit, share
		lower := float64(l.limit) * cut
		if l.phase == climbing && l.before.n > 0 {
			lower = l.before.n // if it was not
		}
		l.setLimit(lower, holding)
		return
	}
	if l.all.n == 0 {
		l.beginWindow()
		return
	}
	now := l.all.level()
	switch l.phase {
	case climbing:
		l.climbLimit(now)
	case holding:
		l.holdLimit(now)
	case descending:
		l.judgeDescent(now)
	}
}

// overloadShare reports whether more requests were refused than chance explains, and
// what share. It waits for enough requests, over several epochs if need be,
// unless most of one are refused.
func (l *limiter) overloadShare() (share float64, yes bool) {
	seen := l.all.n + l.refusals
	l.sent += seen
	l.turned += l.refusals
	if 2*l.refusals <= seen && l.sent < judgedSamples {
		return 0, false
	}
	usual := float64(l.sent) * (l.tolerated + refusedShare)
	share, yes = float64(l.turned)/float64(l.sent), float64(l.turned) > usual+2*math.Sqrt(usual)
	l.sent, l.turned = 0, 0
	return share, yes
}

// judgeCut checks whether a lower limit has lowered the share of refusals. If not, they are not
// caused by the load: the limit returns, and as large a share is ignored from now on. Time-outs are
// always caused by it.
func (l *limiter) judgeCut(share float64) {
	l.cutting, l.settled = false, false
	if share > l.share*cut && 2*l.late <= l.refusals {
		l.tolerated, l.held = share, probeEvery
		l.setLimit(float64(l.uncut), holding)
		return
	}
	l.tolerated *= cut
	l.wary = true
	l.setLimit(float64(l.limit), holding)
}

// checkEarly raises the limit before the end of an epoch if none of its last few requests queued.
func (l *limiter) checkEarly(now level) {
	l.last = sum{}
	if now.perToken < idle*l.unqueued && now.n >= stillFull*float64(l.limit) && l.limit < l.most && l.refusals == 0 && !l.wary && !l.cutting {
		l.learnServiceTime(now)
		l.raiseLimit(now, leap)
	}
}

// climbLimit compares an epoch with one at a lower limit.
func (l *limiter) climbLimit(now level) {
	step := l.step - 1
	gain := now.throughput()/l.before.throughput() - 1
	switch {
	case now.n < stillFull*float64(l.limit): // too few texts to fill the limit: nothing learnt
		l.settleLimit()
		l.held = probeEvery
	case l.before.n == 0:
		l.learnServiceTime(now)
		l.raiseLimit(now, double)
	case gain < worthIt*step:
		l.descendLimit(now.throughput())
	default:
		if gain >= inProportion*step {
			l.learnServiceTime(now)
			l.wary = false
		}
		l.raiseLimit(now, double)
	}
}

// learnServiceTime takes a level at which few requests queue, if any, for one at which none does.
func (l *limiter) learnServiceTime(now level) { l.unqueued, l.slowed = now.perToken, 1 }

// requestsToFill returns how many requests keep the server busy at a throughput.
func (l *limiter) requestsToFill(throughput float64) float64 {
	return throughput * l.unqueued * l.slowed
}

// raiseLimit starts an epoch at a limit higher by a factor, to be compared with now.
func (l *limiter) raiseLimit(now level, step float64) {
	if l.limit == l.most {
		l.descendLimit(now.throughput())
		return
	}
	l.before, l.held, l.step = now, 0, step
	if l.wary {
		l.step = gentle
	}
	l.setLimit(float64(l.limit)*l.step, climbing)
}

// settleLimit ends a climb or a descent.
func (l *limiter) settleLimit() {
	l.held, l.settled = 0, false
	l.setLimit(float64(l.limit), holding)
}

// holdLimit watches a limit that was found.
func (l *limiter) holdLimit(now level) {
	if now.n < stillFull*float64(l.limit) {
		l.beginWindow()
		return
	}
	if !l.settled {
		l.settled, l.before = true, now
	}
	l.held++
	if now.throughput() > freed*l.before.throughput() || now.perToken < spare*l.unqueued || l.held >= probeEvery {
		l.raiseLimit(now, double)
		return
	}
	l.beginWindow()
}

// watchLoad measures throughput by the clock, so that a server that has shrunk is
// seen before its long queue has been answered.
func (l *limiter) watchLoad(now time.Time, seconds, tokens, inFlight float64) {
	if l.opened.IsZero() {
		l.opened = now
		return
	}
	l.window.add(seconds, tokens, inFlight)
	l.slack = l.slack || inFlight < stillFull*float64(l.limit)
	took := now.Sub(l.opened).Seconds()
	if l.window.n < windowSamples || took < l.unqueued*l.window.tokens/float64(l.window.n) {
		return
	}
	throughput, full := l.window.tokens/took, !l.slack
	l.window, l.opened, l.slack = sum{}, now, false
	if !full || l.cutting || l.unqueued == 0 {
		return
	}
	if l.phase == climbing && throughput < collapsed*l.before.throughput() ||
		l.phase != climbing && float64(l.limit) > shrunk*l.requestsToFill(throughput)+headroomFixed {
		l.descendLimit(throughput)
	}
}

// descendLimit tries the limit that a throughput calls for, if it is a lower one.
func (l *limiter) descendLimit(throughput float64) {
	l.before = level{n: throughput, perToken: 1}
	l.setLimit(min(headroom*l.requestsToFill(throughput)+headroomFixed, float64(l.limit)), descending)
}

// judgeDescent compares the throughput of a lower limit with that of the higher one. If it is
// lower, the requests did not queue but have become slower: the limit rises again.
func (l *limiter) judgeDescent(now level) {
	if short := l.before.throughput() / now.throughput(); short > 1/stillFull {
		l.slowed *= short
		l.raiseLimit(now, double)
		return
	}
	l.slowed = max(1, l.slowed*forgiven)
	l.settleLimit()
}
