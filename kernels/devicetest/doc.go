// Package devicetest tests a device of package kernels: every operation, forward
// and backward, at the sizes where devices go wrong, against the plain float64
// device, whose derivatives the package's own tests hold against central
// differences of the same cases.
package devicetest
