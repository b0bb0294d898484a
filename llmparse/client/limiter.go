package client

import (
	"math"
	"time"
)

// The constants of the limiter (docs/decisions/0008-limit-requests-in-flight.md).
const (
	firstLimit    = 8    // limit of a new endpoint
	growth        = 2    // factor of the limit while no request is refused
	gentleGrowth  = 1.1  // the same, after refusals that the load caused
	longQueue     = 8    // the limit stays if a token takes this many times as long as without a queue
	judgedSamples = 40   // number of requests over which the share of refusals is measured
	refusedShare  = 0.05 // share of refusals that means overload
	cut           = 0.7  // factor of the limit in case of overload
)

// outcome is the result of a request, as the limiter counts it.
type outcome int

const (
	served   outcome = iota // answered
	refused                 // 429 or 503: the server is overloaded
	overdue                 // no answer in time: the server is overloaded
	broken                  // any other failure: tells nothing about the load
	declined                // the server works and declines this request: tells nothing about the load
)

// limiter limits the requests in flight at one endpoint. The limit grows from firstLimit to most
// while the endpoint answers, and falls while it refuses requests: a server queues what it cannot
// serve at once. The limit changes only after as many requests as it allows, sent under it, have
// ended (a window). The limiter is not safe for concurrent use and reads no clock.
type limiter struct {
	least, most int
	limit       int
	inFlight    int

	window                   int // number of windows so far
	answered, refusals, late int // requests of this window by result; late ones count as refusals too
	seconds, tokens          float64
	unqueued                 float64 // smallest mean seconds per token at any limit; 0 until known

	seen, turned int     // requests since refusals were last judged, and how many of them were refused
	cutting      bool    // the limit was lowered to test whether that reduces refusals
	uncut        int     // the limit before
	share        float64 // share of refusals before the cut
	tolerated    float64 // share of refusals that a lower limit did not reduce
	wary         bool    // a lower limit reduced refusals, and no limit above uncut has lasted since
}

// newLimiter returns a limiter whose limit stays between least and most.
func newLimiter(least, most int) *limiter {
	return &limiter{least: least, most: most, limit: min(max(firstLimit, least), most)}
}

// hasRoom reports whether one more request may be sent.
func (l *limiter) hasRoom() bool { return l.inFlight < l.limit }

// start counts a request as in flight and returns the window that it is sent in.
func (l *limiter) start() (window int) {
	l.inFlight++
	return l.window
}

// done counts a request of a window as ended after latency, with tokens tokens in its reply (1 if
// the server does not say).
func (l *limiter) done(window int, how outcome, latency time.Duration, tokens int) {
	l.inFlight--
	if window != l.window {
		return
	}
	switch how {
	case overdue:
		l.late++
		l.refusals++
	case refused:
		l.refusals++
	case served:
		l.answered++
		l.seconds += latency.Seconds()
		l.tokens += float64(max(tokens, 1))
	}
	size := max(firstLimit, l.limit)
	if l.cutting {
		size = max(judgedSamples, l.limit)
	}
	if l.answered+l.refusals >= size {
		l.endWindow()
	}
}

// endWindow sets the limit of the next window.
func (l *limiter) endWindow() {
	share := float64(l.refusals) / float64(l.answered+l.refusals)
	if l.cutting {
		l.judgeCut(share)
		return
	}
	if all, overloaded := l.overloadShare(); overloaded {
		l.cutting, l.uncut, l.share = true, l.limit, all
		l.setLimit(float64(l.limit) * cut)
		return
	}
	limit := float64(l.limit)
	l.wary = l.wary && l.limit <= l.uncut
	if l.answered > 0 {
		each := l.seconds / l.tokens
		if l.unqueued == 0 || each < l.unqueued {
			l.unqueued = each
		}
		switch {
		case each > longQueue*l.unqueued:
		case l.wary:
			limit = max(limit+1, limit*gentleGrowth)
		default:
			limit *= growth
		}
	}
	l.setLimit(limit)
}

// setLimit sets the limit and begins a window.
func (l *limiter) setLimit(limit float64) {
	l.limit = min(max(int(limit), l.least), l.most)
	l.window++
	l.answered, l.refusals, l.late, l.seconds, l.tokens = 0, 0, 0, 0, 0
}

// overloadShare returns the share of refused requests, and whether it is larger than chance
// explains. It needs judgedSamples requests, over several windows if need be, unless most requests
// of one window are refused.
func (l *limiter) overloadShare() (share float64, yes bool) {
	n := l.answered + l.refusals
	l.seen += n
	l.turned += l.refusals
	if 2*l.refusals <= n && l.seen < judgedSamples {
		return 0, false
	}
	usual := float64(l.seen) * (l.tolerated + refusedShare)
	share, yes = float64(l.turned)/float64(l.seen), float64(l.turned) > usual+2*math.Sqrt(usual)
	l.seen, l.turned = 0, 0
	return share, yes
}

// judgeCut checks whether the lower limit has reduced the share of refusals. If not, the load does
// not cause them: the old limit returns, and a share as large is ignored from now on. Timeouts
// always count as caused by the load.
func (l *limiter) judgeCut(share float64) {
	l.cutting = false
	if share > l.share*cut && 2*l.late <= l.refusals {
		l.tolerated = share
		l.setLimit(float64(l.uncut))
		return
	}
	l.tolerated *= cut
	l.wary = true
	l.setLimit(float64(l.limit))
}
