// Package selfcheck compares a device of package kernels with the plain float64 device: every
// operation, forward and backward, at the sizes where devices go wrong. The derivatives of the
// plain device are tested against central differences of the same cases.
//
// [WriteTable] is what capgraph doctor prints; [Run] is for tests of devices.
package selfcheck
