package client

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	lostAfter = 3           // number of failures after which an address counts as wrong
	tellEvery = time.Minute // time between two warnings about an endpoint that still fails
)

// endpointHealth records whether an endpoint can be reached.
type endpointHealth struct {
	answered bool      // whether it ever answered in this run
	lost     int       // number of failures that suggest a wrong address
	first    time.Time // of them
	told     time.Time // when the user was last warned that it fails; zero if it works
	answers  answerTimes
}

// How long a request may take: parse.timeout, or longer if the server is slow.
const (
	recentAnswers = 8  // number of answers over which the speed of a server is measured
	waitFactor    = 3  // timeout as a multiple of the time for all requests in flight
	maxFactor     = 16 // times parse.timeout
	maxDoublings  = 3  // how often the timeout of a question doubles after it was exceeded
)

// answerTimes are the times of an endpoint's last answers, a ring.
type answerTimes struct {
	at [recentAnswers]time.Time
	n  int
}

func (a *answerTimes) recordAnswer(now time.Time) {
	a.at[a.n%recentAnswers] = now
	a.n++
}

// meanInterval returns the mean time between the last answers, or 0 if there are too few.
func (a *answerTimes) meanInterval() time.Duration {
	if a.n < recentAnswers {
		return 0
	}
	last, first := a.at[(a.n-1)%recentAnswers], a.at[a.n%recentAnswers]
	return last.Sub(first) / (recentAnswers - 1)
}

// timeLimit returns how long a request at the endpoint of l may take: timeout, or several times as
// long as the endpoint needs for its requests in flight, at the rate of its last answers.
func (p *pool) timeLimit(l *lease, timeout time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := waitFactor * l.answers.meanInterval() * time.Duration(l.limiter.inFlight)
	return min(max(timeout, wait), maxFactor*timeout)
}

// pageError is the error of a web page in place of a reply: the address belongs to another kind of
// server.
type pageError struct {
	status int
	title  string
}

func (e *pageError) Error() string {
	text := "answers with a web page"
	if e.title != "" {
		text += fmt.Sprintf(" (%q)", e.title)
	}
	return fmt.Sprintf("status %d %s: it %s, not with a completion", e.status, http.StatusText(e.status), text)
}

// asPageError returns a pageError if body is a web page, else nil.
func asPageError(status int, body []byte) *pageError {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 4<<10)]))
	if !bytes.HasPrefix(start, []byte("<!doctype html")) && !bytes.HasPrefix(start, []byte("<html")) {
		return nil
	}
	page := &pageError{status: status}
	if _, rest, ok := bytes.Cut(body, []byte("<title>")); ok {
		if title, _, ok := bytes.Cut(rest, []byte("</title>")); ok {
			page.title = strings.Join(strings.Fields(string(title[:min(len(title), 120)])), " ")
		}
	}
	return page
}

// isAddressError reports whether err suggests that the address of an endpoint is wrong.
func isAddressError(err error) bool {
	var page *pageError
	var op *net.OpError
	var dns *net.DNSError
	var header tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	var host x509.HostnameError
	switch {
	case errors.As(err, &page), errors.As(err, &op) && op.Op == "dial":
		return true
	}
	return errors.As(err, &dns) || errors.As(err, &header) || errors.As(err, &cert) || errors.As(err, &host) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// unreachedError is the error of a run in which no endpoint can be reached.
type unreachedError struct{ text string }

func (e *unreachedError) Error() string { return e.text }

// recordFailure records a failed request at e. cause is err with the endpoint's name, for the user.
// The user is warned of the first failure of an endpoint that has never answered, and now and then
// of one that rests. If no endpoint has ever answered and all addresses seem wrong, the run stops.
func (p *pool) recordFailure(e *endpoint, kind failureKind, err, cause error) {
	if kind == failLimited || kind == failKey || kind == failDeclined && !isAddressError(err) {
		return
	}
	p.warnUser(p.recordMiss(e, err, cause))
}

// warnUser passes a message to the user, unless it is empty. p.mu must not be held, since the
// receiver may read the load of the pool.
func (p *pool) warnUser(word string) {
	if word != "" && p.warn != nil {
		p.warn(word)
	}
}

// recordMiss does the work of recordFailure, and returns the message for the user.
func (p *pool) recordMiss(e *endpoint, err, cause error) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if isAddressError(err) && !e.answered {
		if e.lost++; e.lost == 1 {
			e.first = now
		}
		if p.allUnreachable(now) {
			p.stopWaiting(&unreachedError{fmt.Sprintf("nothing answers at parse.endpoints (%s: %v): check that the address belongs to an OpenAI-compatible server, "+
				"such as http://gpu1:8000/v1, and that it runs; for one that is still starting, set parse.wait_for_server=10m; no reply is lost", e.name, cause)})
			return ""
		}
	}
	if (!e.answered || e.rests > 0) && now.Sub(e.told) > tellEvery {
		e.told = now
		return fmt.Sprintf("%s does not answer (%v); it is asked again, and the run stops when no endpoint has answered for %v", e.name, cause, p.waitLimit())
	}
	return ""
}

// allUnreachable reports whether all endpoints have failed as wrong addresses do, for at least
// waitForServer.
func (p *pool) allUnreachable(now time.Time) bool {
	for _, e := range p.endpoints {
		if e.answered || e.lost < lostAfter || now.Sub(e.first) < p.waitForServer {
			return false
		}
	}
	return true
}

// waitLimit returns how long a run goes on without an answer from any endpoint.
func (p *pool) waitLimit() time.Duration {
	for _, e := range p.endpoints {
		if e.answered {
			return p.giveUpAfter
		}
	}
	return max(p.giveUpAfter, p.waitForServer)
}

// recordSuccess records an answer from e. It returns a message if the user was warned that e fails,
// else "".
func (p *pool) recordSuccess(e *endpoint) string {
	e.answered = true
	if e.told.IsZero() {
		return ""
	}
	e.told = time.Time{}
	return e.name + " answers now"
}
