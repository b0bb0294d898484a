// Package freeport finds ports for tests that start a server later, or in another process.
package freeport

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

var asked atomic.Int64

// Find returns a port of 127.0.0.1 on which nobody listens, another one each time. It is below the
// ports that the system uses for outgoing connections, which could take it in the meantime.
func Find(t testing.TB) int {
	t.Helper()
	const first, ports = 10_000, 20_000
	for range 100 {
		port := first + (os.Getpid()*101+int(asked.Add(1)))%ports
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}
