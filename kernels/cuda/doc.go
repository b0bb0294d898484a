// Package cuda is the device of package kernels on NVIDIA's cards. The kernels are
// the .cu files beside the operations, embedded as PTX; products of matrices are
// cuBLASLt's. It needs a build with -tags cuda; any other tells which build to use.
//
// All is done in one stream, in the order of the calls. Tensors are float32. Products
// of weights and of vision attention read copies rounded to bf16 and add up in
// float32, unless the device is asked for exact ones; similarities are always exact.
//
// What fails is kept: see Err. Nothing is done after it.
package cuda
