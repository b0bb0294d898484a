package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// When and how long a failing endpoint gets no requests.
const (
	failuresInARow = 5 // failures without a success after which an endpoint rests
	firstRest      = time.Second
	longestRest    = time.Minute
)

// endpoint is one server with its own limit of requests in flight.
type endpoint struct {
	name    string
	client  *openai.Client
	limiter *limiter

	failures int       // in a row
	rests    int       // in a row
	until    time.Time // resting until then
	trying   bool      // whether a trial is in flight
	endpointHealth
}

// pool distributes requests over endpoints: each goes to the endpoint with the smallest share of
// its limit in flight. If none has a free place, the request waits in line.
type pool struct {
	mu          sync.Mutex
	endpoints   []*endpoint
	line        []chan *lease
	giveUpAfter time.Duration
	// waitForServer is how long the run waits for a first answer from addresses where nothing has
	// answered yet.
	waitForServer time.Duration
	warn          func(text string) // gets warnings for the user; may be nil
	failing       time.Time         // time of the first failed trial after the last answer; zero if none failed since
	stopped       error
	timer         *time.Timer
}

// lease is the right to one request at an endpoint. It lasts until the reply is on disk, so that a
// killed run loses only requests in flight.
type lease struct {
	*endpoint
	window int       // of its limiter
	since  time.Time // when the request was sent
	trial  bool      // whether the request is a trial of a rested endpoint
	err    error
}

// endTrial lets the endpoint have another trial, if l was its trial. Other leases may end before
// the trial.
func (l *lease) endTrial() {
	if l.trial {
		l.trying = false
	}
}

func newEndpoints(opts *Options, key string, doer openai.HTTPDoer) []*endpoint {
	endpoints := make([]*endpoint, len(opts.Endpoints))
	for i, url := range opts.Endpoints {
		config := openai.DefaultConfig(key)
		config.BaseURL = url
		config.HTTPClient = doer
		endpoints[i] = &endpoint{name: url, client: openai.NewClientWithConfig(config), limiter: newLimiter(opts.MinInFlight, opts.MaxInFlight)}
	}
	return endpoints
}

// acquire waits until an endpoint has a free place, and returns a lease of it.
func (p *pool) acquire(ctx context.Context) (*lease, error) {
	p.mu.Lock()
	if p.stopped != nil {
		p.mu.Unlock()
		return nil, p.stopped
	}
	ready := make(chan *lease, 1)
	p.line = append(p.line, ready)
	p.serveWaiting()
	p.mu.Unlock()
	select {
	case l := <-ready:
		return l, l.err
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		select {
		case l := <-ready: // granted as ctx ended: release it
			if l.err == nil {
				l.limiter.done(l.window, broken, 0, 0)
				l.endTrial()
				p.serveWaiting()
			}
		default:
			for i, r := range p.line {
				if r == ready {
					p.line = append(p.line[:i], p.line[i+1:]...)
					break
				}
			}
		}
		return nil, ctx.Err()
	}
}

// serveWaiting gives free places at endpoints to waiting requests.
func (p *pool) serveWaiting() {
	now := time.Now()
	n := 0
	for n < len(p.line) {
		e := p.leastLoaded(now)
		if e == nil {
			break
		}
		e.trying = e.rests > 0
		p.line[n] <- &lease{endpoint: e, window: e.limiter.start(), trial: e.trying}
		n++
	}
	p.line = p.line[n:]
	if len(p.line) > 0 {
		p.scheduleWake(now)
	}
}

// leastLoaded returns the endpoint with the smallest share of its limit in flight, of those that
// have a free place and do not rest.
func (p *pool) leastLoaded(now time.Time) (best *endpoint) {
	var least float64
	for _, e := range p.endpoints {
		if !e.limiter.hasRoom() || now.Before(e.until) || e.rests > 0 && e.trying {
			continue
		}
		if share := float64(e.limiter.inFlight) / float64(e.limiter.limit); best == nil || share < least {
			best, least = e, share
		}
	}
	return best
}

// scheduleWake has waiting requests served when the next endpoint ends its rest.
func (p *pool) scheduleWake(now time.Time) {
	var first time.Time
	for _, e := range p.endpoints {
		if e.until.After(now) && (first.IsZero() || e.until.Before(first)) {
			first = e.until
		}
	}
	if first.IsZero() {
		return
	}
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = time.AfterFunc(first.Sub(now), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.serveWaiting()
	})
}

// release ends the lease of a request with outcome how. After failuresInARow failures in a row the
// endpoint rests, for at least retryAfter.
func (p *pool) release(l *lease, how outcome, latency time.Duration, tokens int, retryAfter time.Duration, cause error) {
	p.warnUser(p.recordOutcome(l, how, latency, tokens, retryAfter, cause))
}

// recordOutcome does the work of release, and returns the message for the user.
func (p *pool) recordOutcome(l *lease, how outcome, latency time.Duration, tokens int, retryAfter time.Duration, cause error) (word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := l.endpoint
	now := time.Now()
	e.limiter.done(l.window, how, latency, tokens)
	l.endTrial()
	if how == served {
		e.answers.recordAnswer(now)
	}
	if how == served || how == declined {
		e.failures, e.rests, e.until = 0, 0, time.Time{}
		p.failing = time.Time{}
		if cause == nil {
			word = p.recordSuccess(e)
		}
	} else if e.failures++; e.failures >= failuresInARow && !now.Before(e.until) {
		rest := min(firstRest<<min(e.rests, 10), longestRest)
		e.until = now.Add(max(rest, retryAfter))
		e.rests++
		switch {
		case !l.trial:
		case p.failing.IsZero():
			p.failing = now
		case now.Sub(p.failing) > p.waitLimit():
			p.stopWaiting(fmt.Errorf("no endpoint has answered for %v (%s: %w): see that the server runs and start the same command again; no reply is lost",
				p.waitLimit(), e.name, cause))
		}
	}
	p.serveWaiting()
	return word
}

// serviceTime returns the time that the endpoint needs for a reply of tokens tokens if no request
// queues, or 0 if it is not known yet.
func (p *pool) serviceTime(l *lease, tokens int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(l.limiter.unqueued * float64(tokens) * float64(time.Second))
}

// failWaiting ends all waiting and all future requests with err.
func (p *pool) failWaiting(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopWaiting(err)
}

func (p *pool) stopWaiting(err error) {
	if p.stopped == nil {
		p.stopped = err
	}
	for _, r := range p.line {
		r <- &lease{err: p.stopped}
	}
	p.line = nil
}

// close stops the pool and its timer.
func (p *pool) close() {
	p.failWaiting(errors.New("the client is closed"))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}

// currentLoad returns the sums of the requests in flight and of the limits of all endpoints, and
// how many endpoints rest.
func (p *pool) currentLoad() (inFlight, limit, resting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for _, e := range p.endpoints {
		inFlight += e.limiter.inFlight
		limit += e.limiter.limit
		if now.Before(e.until) {
			resting++
		}
	}
	return inFlight, limit, resting
}
