// Package ptx is the kernels of package kernels as a CUDA driver takes them: the
// .cu files beside the operations, compiled to one PTX module, and what each kernel
// is launched with.
//
// The command in build makes both files anew from the sources. The module carries
// the SHA-256 of the sources and of the compiler's flags, which a test compares
// with those of the repository, so that nobody launches what is not there to be
// read. It is for compute capability 8.0 and all that follow: the driver
// translates it for the card at hand.
//
// A kernel is found by its name in Kernels, and Kernel.Launch checks the values
// that it is called with and works out its grid, which the comment above the
// kernel says by its parameters.
package ptx
