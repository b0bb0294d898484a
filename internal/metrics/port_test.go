package metrics

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func served(t *testing.T, p *Port) string {
	t.Helper()
	reply, err := http.Get("http://" + p.Addr() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v, %s", reply.StatusCode, err, text)
	}
	return string(text)
}

func of(name string) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: "h"}, func() float64 { return 3 }))
	return r
}

func TestWhatIsAddedIsServedUntilItIsRemoved(t *testing.T) {
	p, err := Open("127.0.0.1:0", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got := served(t, p); got != "" {
		t.Errorf("nothing is served as %q", got)
	}
	p.Add(of("kept"))
	remove := p.Add(of("gone"))
	p.Add(of("twice"))
	p.Add(of("twice")) // is told once, and keeps nothing else from being told
	if got := served(t, p); !strings.Contains(got, "kept 3") || !strings.Contains(got, "gone 3") || strings.Count(got, "twice 3") != 1 {
		t.Errorf("got %s", got)
	}
	remove()
	remove()
	if got := served(t, p); !strings.Contains(got, "kept 3") || strings.Contains(got, "gone") {
		t.Errorf("got %s", got)
	}
	if _, err := Open(p.Addr(), nil); err == nil {
		t.Error("a port was opened twice")
	}
}

func TestFailureToServeIsReported(t *testing.T) {
	told := make(chan error, 1)
	p, err := Open("127.0.0.1:0", func(err error) { told <- err })
	if err != nil {
		t.Fatal(err)
	}
	p.listener.Close() // as if the system took it away
	if err := <-told; !errors.Is(err, net.ErrClosed) {
		t.Errorf("told %v", err)
	}
	p.Close()
}
