// Package cutest runs the CUDA kernels of package kernels on a processor, to test them without a
// card.
//
// The .cu files are compiled as C++ against the names in host/device.h. A block runs as 256 fibres
// on one thread, in the order of their numbers, backwards or shuffled. Each runs until it comes to
// a barrier or to a sum of its warp: a kernel with a missing barrier gives other bits in another
// order. Blocks run in such an order too.
//
// Every access is checked. It must be of memory that the launch was given. No two threads may
// access one place between barriers if one of them writes. Shared memory is full of NaN when a
// block begins.
//
// It cannot show how fast a kernel is, or what the compiler for the card makes of it.
package cutest
