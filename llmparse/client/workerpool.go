package client

import "sync"

// workerPool runs jobs on goroutines that it reuses, so that their stacks stay large.
type workerPool struct {
	jobs chan func()
	once sync.Once
}

// run runs job on an idle goroutine, or on a new one.
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
