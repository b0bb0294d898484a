// Package kernels is what the trainer computes with: some thirty coarse operations over matrices of
// packed rows, each with its derivative.
//
// # Packed rows
//
// A batch of sequences is one matrix with a row for each token and no padding: sequence i has the
// rows starts[i] to starts[i+1]-1. No operation sees a row outside a sequence.
//
// # Devices
//
// A [Device] owns memory and implements each operation forward and backward on its tensors.
// [Reference] is the plain device, in float64; the others are tested against it. Package
// kernels/cpu is the fast device, in float32, and kernels/cuda that of NVIDIA's cards. A call may
// return before its work is done: calls are executed in order, and Read waits.
//
// # The tape
//
// An objective is written forward only, as calls on a [Tape]. Backward then visits the recorded
// operations in reverse. Memory is taken from an [Arena], which is emptied before each step and
// grows in the first only. A [CountingDevice] computes nothing and counts what a step needs:
//
//	t := kernels.NewTape(d, kernels.NewArena(d, 0))
//	y := t.Linear(t.Constant(x), w, b, nil, kernels.GELU)
//	t.Seed(y, gradient)
//	t.Backward() // adds to w.Grad and b.Grad
package kernels
