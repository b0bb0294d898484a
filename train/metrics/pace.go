package metrics

import (
	"fmt"
	"time"

	"capgraph/internal/text"
)

// Pace is the speed of a training over some steps: their images, the time that they computed, the
// time that they waited for images, and the time that the loader took for these.
type Pace struct {
	Images                      int64
	Computed, Waited, LoaderHad time.Duration
}

// Add adds the pace of further steps.
func (p *Pace) Add(o Pace) {
	p.Images += o.Images
	p.Computed, p.Waited, p.LoaderHad = p.Computed+o.Computed, p.Waited+o.Waited, p.LoaderHad+o.LoaderHad
}

func (p Pace) perSecond(d time.Duration) float64 { return float64(p.Images) / max(d.Seconds(), 1e-9) }

// Rate returns the images per second.
func (p Pace) Rate() float64 { return p.perSecond(p.Computed + p.Waited) }

// StepRate returns the images per second of the steps without waiting.
func (p Pace) StepRate() float64 { return p.perSecond(p.Computed) }

// LoaderRate returns the images per second of the loader without waiting.
func (p Pace) LoaderRate() float64 { return p.perSecond(p.LoaderHad) }

// noWait is the share of the time below which steps count as not waiting.
const noWait = 0.02

// StepsWait reports whether steps wait for the loader, rather than it for them.
func (p Pace) StepsWait() bool { return p.Waited.Seconds() > noWait*(p.Computed+p.Waited).Seconds() }

// Bottleneck says in words whether steps wait for the loader, or it for them.
func (p Pace) Bottleneck() string {
	if p.StepsWait() {
		return "steps wait for images"
	}
	return "loading keeps up"
}

// String returns, for example, "1,040 images/s (steps 1,050, loader 5,200: loading keeps up)".
func (p Pace) String() string {
	n := func(x float64) string { return text.Thousands(int64(x)) }
	return fmt.Sprintf("%s images/s (steps %s, loader %s: %s)", n(p.Rate()), n(p.StepRate()), n(p.LoaderRate()), p.Bottleneck())
}

// Values returns the recorded values of a step: both rates, and the seconds that it waited.
func (p Pace) Values() []Value {
	return []Value{{"step_images_per_second", p.StepRate()}, {"loader_images_per_second", p.LoaderRate()}, {"data_wait_seconds", p.Waited.Seconds()}}
}
