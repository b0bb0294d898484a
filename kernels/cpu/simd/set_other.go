//go:build !amd64

package simd

// Available are the sets that this processor has, the fastest first.
func Available() []Set { return []Set{plain()} }
