//go:build unix

package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// exitWithReader exits once nobody can read standard output any more: the Python process that sends
// requests was killed, perhaps during a request that takes minutes.
func exitWithReader() {
	output := []unix.PollFd{{Fd: int32(os.Stdout.Fd())}}
	for range time.Tick(200 * time.Millisecond) {
		output[0].Revents = 0
		if _, err := unix.Poll(output, 0); err == nil && output[0].Revents&(unix.POLLERR|unix.POLLNVAL) != 0 {
			os.Exit(exitFailed)
		}
	}
}
