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

	"capgraph/llmparse/client"
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
	o.Endpoints, o.WaitForServer, o.Reply = []string{"http://" + address + "/v1"}, time.Minute, client.ReplyPlain
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
