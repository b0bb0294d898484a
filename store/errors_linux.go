package store

import "syscall"

// errRemoteIO is the error of a network file system whose server's device failed.
var errRemoteIO error = syscall.EREMOTEIO
