// Package metrics serves the figures of a program to Prometheus.
package metrics

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
)

// Port serves what was added to it at /metrics. Its methods may be called from
// several goroutines at once.
type Port struct {
	server   *http.Server
	listener net.Listener

	mu    sync.Mutex
	added []*prometheus.Gatherer
}

// Open serves at addr, such as 127.0.0.1:9464, until Close. Whoever reaches addr can read the
// figures. failed is called, in another goroutine, if serving ends before Close.
func Open(addr string, failed func(error)) (*Port, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	p := &Port{listener: listener}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(p, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := p.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed(err)
		}
	}()
	return p, nil
}

// Addr is where it serves.
func (p *Port) Addr() string { return p.listener.Addr().String() }

// Add serves the figures of g too, until remove is called.
func (p *Port) Add(g prometheus.Gatherer) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.added = append(p.added, &g)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.added = slices.DeleteFunc(p.added, func(other *prometheus.Gatherer) bool { return other == &g })
	}
}

// Gather implements prometheus.Gatherer.
func (p *Port) Gather() ([]*dto.MetricFamily, error) {
	p.mu.Lock()
	var all prometheus.Gatherers
	for _, g := range p.added {
		all = append(all, *g)
	}
	p.mu.Unlock()
	return all.Gather()
}

// Close ends it, after the request that is being answered.
func (p *Port) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return p.server.Shutdown(ctx)
}
