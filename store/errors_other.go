//go:build !linux

package store

// errRemoteIO exists only on Linux; here no error equals it.
var errRemoteIO error
