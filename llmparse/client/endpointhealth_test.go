package client

import (
	"net"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// Once an endpoint has answered, an outage of connections is waited out.
func TestEndpointThatHasAnsweredIsNotGivenUp(t *testing.T) {
	t.Parallel()
	p := &pool{endpoints: []*endpoint{{name: "e", limiter: newLimiter(8, 8)}}, giveUpAfter: time.Hour}
	defer p.close()
	e := p.endpoints[0]
	refused := &net.OpError{Op: "dial", Err: net.UnknownNetworkError("no")}
	p.mu.Lock()
	p.recordSuccess(e)
	p.mu.Unlock()
	for range 3 * lostAfter {
		p.recordFailure(e, failConnection, refused, refused)
	}
	if p.stopped != nil {
		t.Errorf("stopped: %v", p.stopped)
	}
}

// What is no web page is no reason to give an address up, and a proxy's page for
// a server that is down is none either.
func TestOnlyAPageIsAPage(t *testing.T) {
	for body, want := range map[string]string{
		"":                                "",
		"{}":                              "",
		"<answer/>":                       "",
		" \n<!DOCTYPE HTML>":              `status 200 OK: it answers with a web page, not with a completion`,
		"<html><title>\xff a\n b</title>": `status 200 OK: it answers with a web page ("\xff a b"), not with a completion`,
		"<html><title>never closed":       `status 200 OK: it answers with a web page, not with a completion`,
	} {
		got := ""
		if page := asPageError(200, []byte(body)); page != nil {
			got = page.Error()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", body, got, want)
		}
	}
	if err := refusalError(&openai.RequestError{HTTPStatusCode: 502, Body: []byte("<html>down</html>")}); isAddressError(err) {
		t.Errorf("%v gives the address up", err)
	}
}
