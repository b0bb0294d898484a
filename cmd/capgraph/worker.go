package main

import (
	"context"
	"errors"

	"capgraph/worker"
)

// workerCommand answers the requests of the Python package.
type workerCommand struct{}

// Run implements worker.
func (c *workerCommand) Run(ctx context.Context, std streams) error {
	go exitWithReader()
	return worker.Serve(ctx, std.in, std.out)
}

func (c *workerCommand) stopError() error {
	return errors.New("stopped before the end of standard input")
}
