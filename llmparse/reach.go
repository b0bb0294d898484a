package llmparse

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

// reach is what is known of whether anything answers at an endpoint.
type reach struct {
	answered bool      // ever, in this run
	lost     int       // failures that say there is no such server
	first    time.Time // of them
	told     time.Time // when it was last told that the endpoint fails; zero if it works
}

// pageError is a response that is a web page: the address is that of another
// kind of server.
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

// pageOf is what a body is as a web page; nil if it is none.
func pageOf(status int, body []byte) *pageError {
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

// nowhere reports whether a request failed as it does where the address is wrong:
// no such host, no connection, not the protocol, or a web page.
func nowhere(err error) bool {
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

// failed takes note of a request at e that failed by err, which cause says in words: the
// first is told at once, while it has never answered, and those of an endpoint that rests
// now and then. Where none has ever answered and all have failed as wrong addresses do,
// the run stops.
func (p *pool) failed(e *endpoint, kind failureKind, err, cause error) {
	if kind == failLimited || kind == failKey || kind == failDeclined && !nowhere(err) {
		return
	}
	p.say(p.missed(e, err, cause))
}

// say tells a person, unless there is nothing to tell. No lock is held: who tells may
// be waiting for the figures of this pool.
func (p *pool) say(word string) {
	if word != "" && p.warn != nil {
		p.warn(word)
	}
}

// missed is failed, and gives what is to be told.
func (p *pool) missed(e *endpoint, err, cause error) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if nowhere(err) && !e.answered {
		if e.lost++; e.lost == 1 {
			e.first = now
		}
		if p.nothingThere(now) {
			p.stop(&unreachedError{fmt.Sprintf("nothing answers at parse.endpoints (%s: %v): see that the address is that of an OpenAI-compatible server, "+
				"such as http://gpu1:8000/v1, and that it runs; for one that is still starting, set parse.wait_for_server=10m; no reply is lost", e.name, cause)})
			return ""
		}
	}
	if (!e.answered || e.rests > 0) && now.Sub(e.told) > tellEvery {
		e.told = now
		return fmt.Sprintf("%s does not answer (%v); it is asked again, and the run stops when no endpoint has answered for %v", e.name, cause, p.patience())
	}
	return ""
}

// nothingThere reports whether all endpoints have failed as wrong addresses do, for
// as long as servers that start are waited for.
func (p *pool) nothingThere(now time.Time) bool {
	for _, e := range p.endpoints {
		if e.answered || e.lost < lostAfter || now.Sub(e.first) < p.waitForServer {
			return false
		}
	}
	return true
}

// patience is how long no endpoint may answer before the run stops.
func (p *pool) patience() time.Duration {
	for _, e := range p.endpoints {
		if e.answered {
			return p.giveUpAfter
		}
	}
	return max(p.giveUpAfter, p.waitForServer)
}

// works takes note of an answer from e, and gives what is to be told if it was told that
// there was none.
func (p *pool) works(e *endpoint) string {
	e.answered = true
	if e.told.IsZero() {
		return ""
	}
	e.told = time.Time{}
	return e.name + " answers now"
}
