package main

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"capgraph/internal/metrics"
	"capgraph/internal/usage"
	"capgraph/pipeline"
)

// serveMetrics serves the metrics of a run and of its stages at an address, until end is called.
func serveMetrics(r *pipeline.Run, addr string) (end func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	port, err := metrics.Open(addr, func(err error) {
		r.Warn(fmt.Sprintf("parse.metrics_addr: metrics are no longer served at %s: %v", addr, err))
	})
	if err != nil {
		return nil, usage.Errorf("parse.metrics_addr: %v", err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(passCollector{r.Progress})
	port.Add(registry)
	r.Env.Measure = port.Add
	return func() { port.Close() }, nil
}

// passCollector collects the metrics of the passes for Prometheus.
type passCollector struct{ *pipeline.Progress }

var (
	passLabels = []string{"pass", "step", "unit"}
	passDone   = prometheus.NewDesc("capgraph_pass_processed_total", "Rows, shards or tasks that a step of a pass has processed; the label unit names which.", passLabels, nil)
	passSize   = prometheus.NewDesc("capgraph_pass_units", "Rows, shards or tasks that a step of a pass has in all, if that is known.", passLabels, nil)
	passReject = prometheus.NewDesc("capgraph_pass_rejects_total", "Rows that a pass has rejected.", []string{"pass"}, nil)
)

// Describe implements prometheus.Collector.
func (passCollector) Describe(to chan<- *prometheus.Desc) {
	to <- passDone
	to <- passSize
	to <- passReject
}

// Collect implements prometheus.Collector.
func (f passCollector) Collect(to chan<- prometheus.Metric) {
	for _, s := range f.Steps() {
		labels := []string{s.Pass, s.Name, s.Counted}
		to <- prometheus.MustNewConstMetric(passDone, prometheus.CounterValue, float64(s.Done), labels...)
		if s.Total > 0 {
			to <- prometheus.MustNewConstMetric(passSize, prometheus.GaugeValue, float64(s.Total), labels...)
		}
		if s.Name == "" {
			to <- prometheus.MustNewConstMetric(passReject, prometheus.CounterValue, float64(s.Rejects), s.Pass)
		}
	}
}
