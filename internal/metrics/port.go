// Package metrics serves the figures of a program to Prometheus: Open listens, and Add adds the metrics
// of a registry.
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

// Port serves metrics at /metrics. Its methods may be called from several goroutines at a time.
type Port struct {
	server   *http.Server
	listener net.Listener

	mu    sync.Mutex
	added []*prometheus.Gatherer
}

// Open serves on an address, such as "127.0.0.1:9464", until Close. Anyone who can connect to it can
// read the metrics. failed is called in another goroutine if serving ends before Close.
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

// Addr returns the address.
func (p *Port) Addr() string { return p.listener.Addr().String() }

// Add adds the metrics of g, until remove is called.
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

// Close stops serving, after the current requests.
func (p *Port) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return p.server.Shutdown(ctx)
}
