// Package cutest runs the CUDA kernels of package kernels on a processor, so that
// they are tested where there is no card.
//
// The .cu files are compiled as C++ against the names in host/device.h. A block is
// run as 256 fibres on one thread, in the order of their numbers, backwards or
// shuffled, each until it comes to a barrier or to a sum of its warp: a
// kernel in which a barrier is missing gives other bits in another order. Blocks are
// run in such an order too. Every access is watched: it has to be of memory that
// the launch was given, and no two threads may come to one place between barriers
// where one of them writes. Shared memory is full of NaN when a block begins.
//
// What it does not tell: how fast a kernel is, and what the compiler for the card
// makes of it.
package cutest
