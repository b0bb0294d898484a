// Package library finds the shared libraries of CUDA on a machine: where the
// loader looks, and where packages of Python and CUDA's own installers put them.
// Nothing is linked: a program that was built with -tags cuda starts without them.
package library
