package verify

import (
	"sync"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/panics"
)

// forEachShard calls work for each finished shard of a pass that this process checks, several at a
// time. Each call gets a check of its own.
func (c *check) forEachShard(pass folder.Pass, work func(*check, folder.Shard, *folder.Entry) error) error {
	shards := c.finishedShards(pass, c.options.includesShard)
	return c.runParallel(len(shards), func(c *check, i int) error {
		return work(c, shards[i], c.entries[pass][shards[i].Name])
	})
}

// finishedShards returns the finished shards of a pass whose numbers want accepts, in order.
func (c *check) finishedShards(pass folder.Pass, want func(int) bool) (shards []folder.Shard) {
	for i, s := range c.state.Index.Shards {
		if c.entries[pass][s.Name] != nil && want(i) {
			shards = append(shards, s)
		}
	}
	return shards
}

// anyShard accepts every shard.
func anyShard(int) bool { return true }

// runParallel calls work for the numbers below n, several at a time. Each call gets a check of its
// own; the problems are reported in the order of the numbers.
func (c *check) runParallel(n int, work func(c *check, i int) error) error {
	g, ctx := errgroup.WithContext(c.ctx)
	g.SetLimit(max(c.options.Workers, 1))
	var one sync.Mutex
	found, next := make([]*[]Problem, n), 0
	before := *c // a copy, since report changes c in the meantime
	for i := range n {
		g.Go(func() (err error) {
			defer panics.Catch(&err)
			if err := ctx.Err(); err != nil {
				return err
			}
			var told []Problem
			part := before
			part.ctx, part.visit = ctx, func(p Problem) { told = append(told, p) }
			err = work(&part, i)
			one.Lock()
			defer one.Unlock()
			found[i] = &told
			for ; next < n && found[next] != nil; next++ {
				for _, p := range *found[next] {
					c.report(p)
				}
			}
			return err
		})
	}
	err := g.Wait()
	panics.Rethrow(err)
	return err
}
