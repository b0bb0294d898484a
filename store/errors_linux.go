package store

import "syscall"

// errRemoteIO is returned by network file systems if the server's device failed.
var errRemoteIO error = syscall.EREMOTEIO
