package faultstore

import "sync"

// Requests counts the requests that an object store would get: to put or remove objects, to list
// names, and to read. A written file counts once, when it is published. Reads of an open file do
// not count.
type Requests struct{ Puts, Lists, Gets int64 }

// All returns the total.
func (r Requests) All() int64 { return r.Puts + r.Lists + r.Gets }

// Counter counts requests. The zero value is ready for use; Count is its Injector.
type Counter struct {
	mu sync.Mutex
	n  Requests
}

// Count counts an operation and never fails it.
func (c *Counter) Count(_ int64, op Op, _ string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch op {
	case Publish, Remove:
		c.n.Puts++
	case List, Sweep:
		c.n.Lists++
	case Open, Stat:
		c.n.Gets++
	}
	return nil
}

// Take returns the number of requests since the last call.
func (c *Counter) Take() Requests {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	c.n = Requests{}
	return n
}
