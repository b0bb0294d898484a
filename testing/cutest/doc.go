// Package cutest runs the CUDA kernels of package kernels on a CPU, to test them without a GPU.
//
// The .cu files are compiled as C++ with the names in host/device.h. The threads of a block run as
// 256 fibres on one thread, in ascending, descending or random order. Each runs until it reaches a
// barrier or a sum over its warp. So a kernel with a missing barrier returns other bits in another
// order. Blocks run in such an order too.
//
// Every memory access is checked. It must be in memory that the launch was given. Between barriers,
// no two threads may access the same address if one of them writes. Shared memory is filled with
// NaN when a block begins.
//
// It shows neither the speed of a kernel nor what the GPU's compiler makes of it.
package cutest
