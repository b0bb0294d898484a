package client

import "sync"

// workerPool runs jobs on goroutines that stay, so that their stacks need not grow again.
type workerPool struct {
	jobs chan func()
	once sync.Once
}

// run runs job on a goroutine that has nothing to do, or on a new one.
func (c *workerPool) run(job func()) {
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

// close ends the goroutines. run may not be called afterwards.
func (c *workerPool) close() { c.once.Do(func() { close(c.jobs) }) }
