// Package ptx has the kernels of package kernels in the form that a CUDA driver takes: the .cu
// files beside the operations, compiled to one PTX module, and the signature of each kernel.
//
// The command in build makes both files from the sources. The module carries the SHA-256 of the
// sources and of the compiler's flags; a test compares it with the repository, so that the embedded
// module always belongs to the sources. The driver compiles it for its card, of compute capability
// 8.0 or later.
//
// [Kernels] returns the kernels by name. [Kernel.Launch] checks the arguments of a call and
// computes its grid from them; the formula is in the comment above the kernel.
package ptx
