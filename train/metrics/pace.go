package metrics

import (
	"fmt"
	"time"

	"capgraph/internal/text"
)

// Pace is the speed of a training over some steps: the number of images, the time of computing, the
// time of waiting for images, and the time that the loader took for the images.
type Pace struct {
	Images                       int64
	Computed, Waited, LoaderTook time.Duration
}

// Add adds the pace of further steps.
func (p *Pace) Add(o Pace) {
	p.Images += o.Images
	p.Computed, p.Waited, p.LoaderTook = p.Computed+o.Computed, p.Waited+o.Waited, p.LoaderTook+o.LoaderTook
}

func (p Pace) perSecond(d time.Duration) float64 { return float64(p.Images) / max(d.Seconds(), 1e-9) }

// Rate returns the images per second of the training, including waiting.
func (p Pace) Rate() float64 { return p.perSecond(p.Computed + p.Waited) }

// StepRate returns the images per second of computing alone.
func (p Pace) StepRate() float64 { return p.perSecond(p.Computed) }

// LoaderRate returns the images per second of the loader alone.
func (p Pace) LoaderRate() float64 { return p.perSecond(p.LoaderTook) }

// noWait is the share of waiting time up to which steps count as not waiting.
const noWait = 0.02

// StepsWait reports whether the loader is too slow, so that steps wait for images.
func (p Pace) StepsWait() bool { return p.Waited.Seconds() > noWait*(p.Computed+p.Waited).Seconds() }

// Bottleneck returns in words whether steps wait for images.
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

// Values returns the values that are recorded for a step: StepRate, LoaderRate and the seconds of
// waiting.
func (p Pace) Values() []Value {
	return []Value{{"step_images_per_second", p.StepRate()}, {"loader_images_per_second", p.LoaderRate()}, {"data_wait_seconds", p.Waited.Seconds()}}
}
