package faultstore

import "sync"

// Requests are how often an object store would be asked: to put or remove objects, to
// list names, and to read. A file that is written goes there once, when it is published; how often
// an open file is read is not counted.
type Requests struct{ Puts, Lists, Gets int64 }

// All is their number.
func (r Requests) All() int64 { return r.Puts + r.Lists + r.Gets }

// Counter counts requests. Its zero value is ready; Count is its Injector.
type Counter struct {
	mu sync.Mutex
	n  Requests
}

// Count counts an operation and lets it be.
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

// Take gives how many requests there were since it was called before.
func (c *Counter) Take() Requests {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	c.n = Requests{}
	return n
}
