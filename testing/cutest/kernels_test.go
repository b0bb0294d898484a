package cutest

import (
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
	"capgraph/testing/longtest"
)

var _ kernels.Device = (*device)(nil)

// bounds are those of every float32 device.
var bounds = selfcheck.Bounds{Value: 2e-6, Gradient: 5e-5}

// Every kernel of packed rows in every order: threads forward, backward and
// shuffled, then launches of more rows than there are. The bits are the same in all.
func TestKernelsComputeTheSameInEveryOrder(t *testing.T) {
	longtest.Only(t, "it computes every case in four orders")
	m, next := machine(t), 0
	selfcheck.Run(t, func() kernels.Device {
		d := newDevice(t, m)
		d.order, d.seed = []Order{Forward, Reverse, Shuffled, Shuffled}[next], uint64(next)
		d.padded = next == 3
		next++
		return d
	}, bounds)
}

func TestKernelsComputeWhatTheReferenceDoes(t *testing.T) {
	d := newDevice(t, machine(t))
	d.order = Shuffled
	worst := map[string]selfcheck.Bounds{}
	for i, c := range selfcheck.Cases() {
		if c.Large && !longtest.Wanted() {
			continue
		}
		d.padded = i%2 == 1
		o := selfcheck.Compare(d, c)
		if o.Value > bounds.Value || o.Gradient > bounds.Gradient || len(o.Mistakes) > 0 {
			t.Errorf("%s: %+v", c.Name, o)
		}
		w := worst[c.Operation]
		worst[c.Operation] = selfcheck.Bounds{Value: max(w.Value, o.Value), Gradient: max(w.Gradient, o.Gradient)}
	}
	for operation, w := range worst {
		t.Logf("%-12s values are off by %.1e at most, gradients by %.1e", operation, w.Value, w.Gradient)
	}
}
