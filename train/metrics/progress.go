package metrics

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"capgraph/internal/progress"
)

// Progress displays the progress of a training.
type Progress struct {
	shown *progress.Display

	mu   sync.Mutex
	last Record
	pace Pace // of all displayed steps
}

// NewProgress displays the progress of a training on out, in a mode of internal/progress. The
// training continues after step, with the samples seen until then, and has steps in all.
func NewProgress(out io.Writer, mode string, step int, samples int64, steps int) *Progress {
	p := &Progress{last: Record{Step: step, Samples: samples}}
	p.shown = progress.Start(out, mode, progress.Work{
		Name: "train", One: "step", Many: "steps", From: int64(step), Total: int64(steps),
		Done: func() int64 {
			r, _ := p.snapshot()
			return int64(r.Step)
		},
		Detail: func(float64) string { return p.describe() },
		Attrs: func(float64) []slog.Attr {
			r, pace := p.snapshot()
			attrs := []slog.Attr{slog.Int("step", r.Step), slog.Int("steps", steps), slog.Int("epoch", r.Epoch),
				slog.Int64("samples", r.Samples), slog.Int64("samples_per_second", int64(pace.Rate()))}
			for _, v := range r.Values {
				attrs = append(attrs, slog.Float64(v.Name, v.Number))
			}
			return attrs
		},
	})
	return p
}

// Write displays a record.
func (p *Progress) Write(r Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last.Step, p.last.Epoch, p.last.Samples = r.Step, r.Epoch, r.Samples
	p.last.Values = append(p.last.Values[:0], r.Values...)
	p.pace.Add(r.Pace)
}

// Stop displays the last record and ends the display.
func (p *Progress) Stop() { p.shown.Stop() }

// snapshot returns the last record, with a copy of its values, and the pace so far.
func (p *Progress) snapshot() (Record, Pace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.last
	r.Values = append([]Value(nil), r.Values...)
	return r, p.pace
}

// describe returns the pace, the loss and its components as text.
func (p *Progress) describe() string {
	var b strings.Builder
	r, pace := p.snapshot()
	b.WriteString(pace.String())
	for _, v := range r.Values {
		if v.Name == Loss || strings.Contains(v.Name, "/") {
			fmt.Fprintf(&b, "  %s %.4g", v.Name, v.Number)
		}
	}
	return b.String()
}
