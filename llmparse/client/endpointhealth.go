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
	lostAfter = 3           // failures without an answer after which nothing answers at an address
	tellEvery = time.Minute // between two words on an endpoint that still fails
)

// endpointHealth records whether an endpoint can be reached.
type endpointHealth struct {
	answered bool      // ever, in this run
	lost     int       // failures that say there is no such server
	first    time.Time // of them
	told     time.Time // when the user was last warned of it; zero if it works
	answers  answerTimes
}

// How long a request may take: parse.timeout, or longer at a server that is slow.
const (
	recentAnswers = 8  // answers whose intervals tell how fast a server is
	waitFactor    = 3  // times the wait for all requests in flight
	maxFactor     = 16 // times parse.timeout
	maxDoublings  = 3  // of the limit of a question that had no answer in time
)

// answerTimes are the times of the last answers of an endpoint.
type answerTimes struct {
	at [recentAnswers]time.Time
	n  int
}

func (a *answerTimes) recordAnswer(now time.Time) {
	a.at[a.n%recentAnswers] = now
	a.n++
}

// meanInterval returns the mean time between the last answers, 0 if there are too few.
func (a *answerTimes) meanInterval() time.Duration {
	if a.n < recentAnswers {
		return 0
	}
	last, first := a.at[(a.n-1)%recentAnswers], a.at[a.n%recentAnswers]
	return last.Sub(first) / (recentAnswers - 1)
}

// timeLimit returns how long a request at the endpoint of l may take: timeout, or several times as
// long as its requests in flight take at the rate of its last answers.
func (p *pool) timeLimit(l *lease, timeout time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := waitFactor * l.answers.meanInterval() * time.Duration(l.limiter.inFlight)
	return min(max(timeout, wait), maxFactor*timeout)
}

// pageError is a response that is a web page: the address belongs to another kind of server.
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

// pageErrorOf returns the error of a body that is a web page, or nil.
func pageErrorOf(status int, body []byte) *pageError {
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

// isAddressError reports whether err is the error of a wrong address.
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

// unreachedError says that no endpoint is where the settings say.
type unreachedError struct{ text string }

func (e *unreachedError) Error() string { return e.text }

// recordFailure records a failed request at e; cause is err in words. The user is warned of the
// first failure of an endpoint that has never answered, and now and then of a resting endpoint. If
// no endpoint has ever answered and all failed as wrong addresses do, the run stops.
func (p *pool) recordFailure(e *endpoint, kind failureKind, err, cause error) {
	if kind == failLimited || kind == failKey || kind == failDeclined && !isAddressError(err) {
		return
	}
	p.warnUser(p.recordMiss(e, err, cause))
}

// warnUser passes a message to the user, unless it is empty. No lock is held, since the receiver
// may wait for the figures of this pool.
func (p *pool) warnUser(word string) {
	if word != "" && p.warn != nil {
		p.warn(word)
	}
}

// recordMiss is recordFailure without the message, which it returns.
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

// allUnreachable reports whether all endpoints have failed as wrong addresses do, for
// as long as servers that start are waited for.
func (p *pool) allUnreachable(now time.Time) bool {
	for _, e := range p.endpoints {
		if e.answered || e.lost < lostAfter || now.Sub(e.first) < p.waitForServer {
			return false
		}
	}
	return true
}

// waitLimit is how long no endpoint may answer before the run stops.
func (p *pool) waitLimit() time.Duration {
	for _, e := range p.endpoints {
		if e.answered {
			return p.giveUpAfter
		}
	}
	return max(p.giveUpAfter, p.waitForServer)
}

// recordSuccess records an answer from e. It returns a message if the user was warned that there
// was none.
func (p *pool) recordSuccess(e *endpoint) string {
	e.answered = true
	if e.told.IsZero() {
		return ""
	}
	e.told = time.Time{}
	return e.name + " answers now"
}
