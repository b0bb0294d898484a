package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// The rest of a failing endpoint.
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
	trying   bool      // a trial is out
	endpointHealth
}

// pool shares endpoints among requests: a request goes where the share of the
// limit in flight is least, and waits in line if there is no room.
type pool struct {
	mu          sync.Mutex
	endpoints   []*endpoint
	line        []chan *lease
	giveUpAfter time.Duration
	// waitForServer is how long addresses at which nothing has answered yet are tried.
	waitForServer time.Duration
	warn          func(text string) // tells a person; nil tells nobody
	failing       time.Time         // of the first trial that failed since anything was answered; zero if there is none
	stopped       error
	timer         *time.Timer
}

// lease is the right to one request at an endpoint, held until the answer is on disk: a killed run
// loses only requests in flight.
type lease struct {
	*endpoint
	window int       // of its limiter
	since  time.Time // when the request was sent
	trial  bool      // for a request that sees whether the endpoint works again
	err    error
}

// endTrial lets the endpoint be tried again if l was its trial: others may end
// while that is out.
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

// acquire waits for an endpoint with room.
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
		case l := <-ready: // given at the same moment: give it back
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

// serveWaiting hands free places to waiting requests.
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
		p.wakeResting(now)
	}
}

// leastLoaded is the endpoint with the least share of its limit in flight that
// has room and does not rest.
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

// wakeResting serves again when the first rest ends.
func (p *pool) wakeResting(now time.Time) {
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

// release ends a request. After several failures in a row the endpoint rests, for at least
// retryAfter if it gave that.
func (p *pool) release(l *lease, how outcome, latency time.Duration, tokens int, retryAfter time.Duration, cause error) {
	p.warnUser(p.recordOutcome(l, how, latency, tokens, retryAfter, cause))
}

// recordOutcome is release without the message, which it returns.
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

// serviceTime returns how long the endpoint takes for that many tokens if requests do not queue; 0
// until it is known.
func (p *pool) serviceTime(l *lease, tokens int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(l.limiter.unqueued * float64(tokens) * float64(time.Second))
}

// failWaiting ends all requests that wait, and those to come, with err.
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

// currentLoad is the requests in flight and the limit over all endpoints.
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
