package client

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capgraph/llmparse/replies"
)

// meter counts a client's requests and replies.
type meter struct {
	start       time.Time
	texts       atomic.Int64 // captions that have their graph or their reject
	whole       atomic.Int64 // captions for which whole negatives were requested, answered or not
	requests    atomic.Int64
	retries     atomic.Int64
	cacheHits   atomic.Int64
	tokensIn    atomic.Int64
	tokensOut   atomic.Int64
	truncated   atomic.Int64
	useless     atomic.Int64
	failedTexts atomic.Int64
	failures    [numFailures]atomic.Int64
	bad         [replies.NumReasons]atomic.Int64
	lastFailure atomic.Value // string: why the last text failed

	mu        sync.Mutex
	latencies [1024]time.Duration // of the last requests, a ring
	answers   int

	histogram prometheus.Histogram
}

func newMeter() *meter {
	return &meter{
		start: time.Now(),
		histogram: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "capgraph_llm_request_duration_seconds", Help: "Time that an answered request took.",
			Buckets: prometheus.ExponentialBuckets(0.02, 2, 14),
		}),
	}
}

// maxTokens is the most tokens that are counted for a request, whatever the server says, so that sums do not overflow.
const maxTokens = 1 << 24

// recordAnswer counts an answered request.
func (m *meter) recordAnswer(latency time.Duration, in, out int) {
	m.tokensIn.Add(int64(min(max(in, 0), maxTokens)))
	m.tokensOut.Add(int64(min(max(out, 0), maxTokens)))
	m.histogram.Observe(latency.Seconds())
	m.mu.Lock()
	m.latencies[m.answers%len(m.latencies)] = latency
	m.answers++
	m.mu.Unlock()
}

// quantiles returns the median and the 99th percentile of the last latencies.
func (m *meter) quantiles() (p50, p99 time.Duration) {
	m.mu.Lock()
	last := slices.Clone(m.latencies[:min(m.answers, len(m.latencies))])
	m.mu.Unlock()
	if len(last) == 0 {
		return 0, 0
	}
	slices.Sort(last)
	return last[len(last)/2], last[len(last)*99/100]
}

// Stats counts the requests and replies of a client so far.
type Stats struct {
	Elapsed                    time.Duration
	Texts, Requests, CacheHits int64
	Whole                      int64 // captions for which whole negatives were requested
	TokensIn, TokensOut        int64
	InFlight, Limit, Resting   int
	P50, P99                   time.Duration
	Retries                    int64
	Failures                   map[string]int64 // failed requests by kind of failure
	Bad                        map[string]int64 // questions without a usable reply, by reason
	Repairs                    map[string]int64 // corrections of replies by kind, as the decoder of replies counts them
	Damaged                    int64            // replies of the cache that counted as missing
	LastFailure                string           // why the last text was declined or unanswered; empty if there is none
	Cost                       float64          // at the prices of the settings
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	m := c.meter
	s := Stats{
		Elapsed: time.Since(m.start), Texts: m.texts.Load(), Whole: m.whole.Load(), Requests: m.requests.Load(), CacheHits: m.cacheHits.Load(),
		TokensIn: m.tokensIn.Load(), TokensOut: m.tokensOut.Load(), Retries: m.retries.Load(),
		Failures: map[string]int64{}, Bad: map[string]int64{},
	}
	s.InFlight, s.Limit, s.Resting = c.pool.currentLoad()
	s.P50, s.P99 = m.quantiles()
	for k := range m.failures {
		if n := m.failures[k].Load(); n > 0 {
			s.Failures[failureKind(k).String()] = n
		}
	}
	for k := range m.bad {
		if n := m.bad[k].Load(); n > 0 {
			s.Bad[replies.Reasons[k].Error()] = n
		}
	}
	s.Damaged = int64(c.cache.Damaged())
	s.LastFailure, _ = m.lastFailure.Load().(string)
	s.Cost = (float64(s.TokensIn)*c.opts.Prices.Input + float64(s.TokensOut)*c.opts.Prices.Output) / 1e6
	return s
}

// Attrs returns the stats as attributes of a log line. Zero counts are left out, zero rates are not.
func (s Stats) Attrs() []slog.Attr {
	seconds := max(s.Elapsed.Seconds(), 1e-3)
	attrs := []slog.Attr{
		slog.String("captions_per_second", fmt.Sprintf("%.1f", float64(s.Texts)/seconds)),
		slog.String("requests_per_second", fmt.Sprintf("%.1f", float64(s.Requests)/seconds)),
		slog.String("in_flight", fmt.Sprintf("%d/%d", s.InFlight, s.Limit)),
		slog.Duration("latency_p50", s.P50.Round(time.Millisecond)), slog.Duration("latency_p99", s.P99.Round(time.Millisecond)),
	}
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"whole_negatives", s.Whole}, {"prompt_tokens", s.TokensIn}, {"completion_tokens", s.TokensOut}, {"cache_hits", s.CacheHits}, {"cache_damaged_replies", s.Damaged}, {"retries", s.Retries}, {"endpoints_paused", int64(s.Resting)},
	} {
		if n.n > 0 {
			attrs = append(attrs, slog.Int64(n.name, n.n))
		}
	}
	for _, n := range []struct {
		name string
		n    map[string]int64
	}{{"request_failures", s.Failures}, {"unusable_replies", s.Bad}, {"reply_repairs", s.Repairs}} {
		if len(n.n) > 0 {
			attrs = append(attrs, slog.String(n.name, formatCounts(n.n)))
		}
	}
	if s.LastFailure != "" {
		attrs = append(attrs, slog.String("last_failure", s.LastFailure))
	}
	if s.Cost > 0 {
		attrs = append(attrs, slog.String("cost", fmt.Sprintf("%.2f", s.Cost)))
	}
	return attrs
}

// formatCounts returns counts as "name:count", sorted by name.
func formatCounts(n map[string]int64) string {
	parts := make([]string, 0, len(n))
	for name, k := range n {
		parts = append(parts, fmt.Sprintf("%s:%d", name, k))
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

// Metrics returns the counts for Prometheus.
func (c *Client) Metrics() prometheus.Gatherer {
	m, registry := c.meter, prometheus.NewRegistry()
	registry.MustRegister(m.histogram)
	counter := func(name, help string, v *atomic.Int64, labels prometheus.Labels) {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "capgraph_llm_" + name, Help: help, ConstLabels: labels},
			func() float64 { return float64(v.Load()) }))
	}
	counter("texts_total", "Texts that have their graph or their reject.", &m.texts, nil)
	counter("whole_negatives_total", "Texts that have their whole negatives, or none for want of a usable reply.", &m.whole, nil)
	counter("requests_total", "Requests sent.", &m.requests, nil)
	counter("retries_total", "Requests sent again after a failure.", &m.retries, nil)
	counter("cache_hits_total", "Texts answered from the cache.", &m.cacheHits, nil)
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "capgraph_llm_cache_damaged_replies_total", Help: "Replies of the cache that are damaged and count as missing."},
		func() float64 { return float64(c.cache.Damaged()) }))
	counter("prompt_tokens_total", "Tokens of prompts.", &m.tokensIn, nil)
	counter("completion_tokens_total", "Tokens of replies.", &m.tokensOut, nil)
	for k := range m.failures {
		counter("request_failures_total", "Requests that failed.", &m.failures[k], prometheus.Labels{"kind": failureKind(k).String()})
	}
	for k := range m.bad {
		counter("unusable_replies_total", "Texts without a usable reply.", &m.bad[k], prometheus.Labels{"reason": replies.Reasons[k].Error()})
	}
	for i, e := range c.pool.endpoints {
		labels := prometheus.Labels{"endpoint": e.name, "index": fmt.Sprint(i)}
		gauge := func(name, help string, value func() int) {
			registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "capgraph_llm_" + name, Help: help, ConstLabels: labels},
				func() float64 {
					c.pool.mu.Lock()
					defer c.pool.mu.Unlock()
					return float64(value())
				}))
		}
		gauge("requests_in_flight", "Requests in flight.", func() int { return e.limiter.inFlight })
		gauge("requests_in_flight_limit", "Requests that may be in flight.", func() int { return e.limiter.limit })
	}
	return registry
}

// CountText counts a caption that got a graph or a reject.
func (c *Client) CountText() { c.meter.texts.Add(1) }

// CountWhole counts n captions for which whole negatives were requested.
func (c *Client) CountWhole(n int) { c.meter.whole.Add(int64(n)) }

// CountCached counts a question that was answered from the cache.
func (c *Client) CountCached() { c.meter.cacheHits.Add(1) }
