// Package library finds and opens the shared libraries of CUDA: in the loader's folders, and where
// Python packages and CUDA's own installers put them. Nothing is linked, so a program that was
// built with -tags cuda starts without them.
package library
