package cutest

import (
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/devicetest"
)

var _ kernels.Device = (*device)(nil)

// Every kernel of packed rows in every order: threads forward, backward and
// shuffled, then launches of more rows than there are. The bits are the same in all.
func TestKernelsComputeWhatTheReferenceDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("every case in four orders takes a minute")
	}
	m, next := machine(t), 0
	devicetest.Run(t, func() kernels.Device {
		d := newDevice(t, m)
		d.order, d.seed = []Order{Forward, Reverse, Shuffled, Shuffled}[next], uint64(next)
		d.padded = next == 3
		next++
		return d
	}, devicetest.Bounds{Value: 2e-6, Gradient: 5e-5})
}
