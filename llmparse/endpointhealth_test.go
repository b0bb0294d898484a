package llmparse

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// told is what a parser tells a person.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (t *told) add(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, text)
}

func (t *told) all() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// A server that still starts refuses connections. It is waited for as long as the
// settings say, which is told, and so is that it has come.
func TestServerThatStartsIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := serverFor(t, fakevllm.Config{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	o := optionsFor(t)
	o.Endpoints, o.WaitForServer, o.Reply = []string{"http://" + address + "/v1"}, time.Minute, ReplyPlain
	p := parserFor(t, o)
	var words told
	p.SetWarn(words.add)
	late := &http.Server{Handler: s}
	defer late.Close()
	starts := time.AfterFunc(1500*time.Millisecond, func() {
		if listener, err := net.Listen("tcp", address); err == nil {
			late.Serve(listener)
		}
	})
	defer starts.Stop()
	for i, out := range parse(t, p, captions(20)...) {
		if len(out.Graph.Objects) != 2 || !strings.HasPrefix(out.Parser, Name) {
			t.Errorf("caption %d has no graph of the model's", i)
		}
	}
	if said := words.all(); strings.Count(said, "does not answer (") != 1 || !strings.Contains(said, "connection refused") ||
		!strings.HasSuffix(said, address+"/v1 answers now") {
		t.Errorf("told:\n%s", said)
	}
}

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
		if page := pageErrorOf(200, []byte(body)); page != nil {
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

// Plain HTTP at an https address, and the other way round, is a wrong address.
func TestWrongProtocolIsAWrongAddress(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	safe := httptest.NewUnstartedServer(http.NotFoundHandler())
	safe.Config.ErrorLog = log.New(io.Discard, "", 0)
	safe.StartTLS()
	defer safe.Close()
	for _, address := range []string{strings.Replace(plain.URL, "http:", "https:", 1), safe.URL} {
		o := optionsFor(t)
		o.Endpoints = []string{address}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		err := parserFor(t, o).Parse(ctx, captions(5), make([]schemas.Parsed, 5))
		if err == nil || !strings.Contains(err.Error(), "nothing answers at parse.endpoints ("+address) {
			t.Errorf("%s: error is %v", address, err)
		}
	}
}
