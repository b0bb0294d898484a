package llmparse

import "sync"

// crew runs jobs on goroutines that it uses again: the stack of a new one would
// have to grow to what a request needs, time and again.
type crew struct {
	jobs chan func()
	once sync.Once
}

// do runs job on a goroutine that has nothing to do, or on a new one.
func (c *crew) do(job func()) {
	select {
	case c.jobs <- job:
	default:
		go func() {
			job()
			for next := range c.jobs {
				next()
			}
		}()
	}
}

// close ends the goroutines. No do may follow.
func (c *crew) close() { c.once.Do(func() { close(c.jobs) }) }
