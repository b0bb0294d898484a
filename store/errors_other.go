//go:build !linux

package store

// errRemoteIO is an error of Linux alone: nothing is equal to it.
var errRemoteIO error
