// Package cuda is the device of package kernels on NVIDIA's cards. The kernels are the .cu files
// beside the operations, embedded as PTX; products of matrices are cuBLASLt's. It needs a build
// with -tags cuda. In any other build, [Open] returns an error that names that build.
//
// All work is done in one stream, in the order of the calls. Tensors are float32. Products of
// weights and of vision attention read copies rounded to bf16 and add up in float32, unless the
// device is opened with [Float32]. Similarities are always computed in float32.
//
// The first error is kept, see Err; nothing is done after it.
package cuda
