package client

import (
	"math"
	"time"
)

// The constants of the limiter (docs/decisions/0008-limit-requests-in-flight.md).
const (
	firstLimit    = 8    // requests in flight before anything is known
	growth        = 2    // of the limit while nothing is refused
	gentleGrowth  = 1.1  // the same after refusals that the load caused
	longQueue     = 8    // times as long as at first that a token takes where the limit stays
	judgedSamples = 40   // requests that tell how many are refused
	refusedShare  = 0.05 // share of refusals that means overload
	cut           = 0.7  // factor of the limit then
)

// outcome is how a request ended, as far as the limiter is concerned.
type outcome int

const (
	served   outcome = iota // answered
	refused                 // 429 or 503: the server is overloaded
	overdue                 // no answer in time: the same
	broken                  // any other failure: says nothing of the load
	declined                // the server works and will not answer this: says nothing of the load
)

// limiter limits the requests in flight at one endpoint. The limit grows from firstLimit to most
// while the endpoint answers, and falls while it refuses: a server queues what it has no room for.
// A limit stays until as many requests as it allows, sent under it, have ended. The limiter is not
// safe for concurrent use and reads no clock.
type limiter struct {
	least, most int
	limit       int
	inFlight    int

	window                   int // number of limits so far
	answered, refusals, late int // of the requests that were sent under this limit; late ones are refusals
	seconds, tokens          float64
	unqueued                 float64 // least mean seconds a token at any limit; 0 until known

	seen, turned int     // requests since refusals were last judged, and the refused ones
	cutting      bool    // the limit was lowered, to see whether fewer requests are refused
	uncut        int     // the limit before
	share        float64 // the share of refusals before
	tolerated    float64 // the share that a lower limit did not reduce
	wary         bool    // a lower limit reduced it, and none above uncut was kept since
}

// newLimiter makes a limiter whose limit stays between least and most.
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

// done counts a request of a window as ended after latency, with that many tokens written (1 if the
// server does not say).
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

// endWindow sets the next limit.
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

// overloadShare reports whether more requests were refused than chance explains, and what share. It
// waits for enough requests, over several windows if need be, unless most of one are refused.
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

// judgeCut checks whether a lower limit has reduced the share of refusals. If not, the load does not
// cause them: the limit returns, and as large a share is ignored from now on. Time-outs are always
// caused by it.
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
