package metrics

import (
	"fmt"
	"time"

	"capgraph/internal/text"
)

// Pace is how fast a training goes and what it waits for: over some steps, the images
// that they took, the time that they computed, the time that they waited for
// their images, and the time that the loader had for these.
type Pace struct {
	Images                      int64
	Computed, Waited, LoaderHad time.Duration
}

// Add adds the pace of further steps.
func (p *Pace) Add(o Pace) {
	p.Images += o.Images
	p.Computed, p.Waited, p.LoaderHad = p.Computed+o.Computed, p.Waited+o.Waited, p.LoaderHad+o.LoaderHad
}

func (p Pace) rate(d time.Duration) float64 { return float64(p.Images) / max(d.Seconds(), 1e-9) }

// Rate is the images a second.
func (p Pace) Rate() float64 { return p.rate(p.Computed + p.Waited) }

// StepRate is the images a second of steps that need not wait.
func (p Pace) StepRate() float64 { return p.rate(p.Computed) }

// LoaderRate is the images a second of a loader that need not wait.
func (p Pace) LoaderRate() float64 { return p.rate(p.LoaderHad) }

// noWait is the share of the time below which steps count as not waiting.
const noWait = 0.02

// Waits says what waits: steps for the loader, or it for them.
func (p Pace) Waits() string {
	if p.Waited.Seconds() > noWait*(p.Computed+p.Waited).Seconds() {
		return "steps wait for images"
	}
	return "the loader waits"
}

// String is "1,040 images/s (steps 1,050, loader 5,200: the loader waits)".
func (p Pace) String() string {
	n := func(x float64) string { return text.Thousands(int64(x)) }
	return fmt.Sprintf("%s images/s (steps %s, loader %s: %s)", n(p.Rate()), n(p.StepRate()), n(p.LoaderRate()), p.Waits())
}

// Values are what is told of a step: both rates, and the seconds that it waited.
func (p Pace) Values() []Value {
	return []Value{{"step_rate", p.StepRate()}, {"loader_rate", p.LoaderRate()}, {"waited", p.Waited.Seconds()}}
}
