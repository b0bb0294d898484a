//go:build !amd64

package simd

// Available returns the sets that this processor supports, the fastest first.
func Available() []Set { return []Set{portableSet()} }
