// Package kernels is what the trainer computes with: some thirty coarse
// operations over matrices of packed rows, each with its derivative.
//
// # Packed rows
//
// A batch of sequences is one matrix, a row a token, without padding: sequence i
// has the rows Starts[i] to Starts[i+1]. No operation ever sees a row that is
// not of a sequence.
//
// # Devices
//
// A Device owns memory and implements each operation forward and backward on
// its tensors. Reference is the plain one, in float64, that the others are
// tested against; package kernels/cpu is the fast one, in float32. A call may
// return before its work is done: calls are done in their order, and Read waits.
//
// # The tape
//
// An objective is written forward only, as calls on a Tape; Backward goes over
// them again from the end. Memory is taken from an Arena, which is sized once
// and emptied before each step, so that a step allocates nothing. A Plan is a
// device that computes nothing and tells what a step needs.
package kernels
