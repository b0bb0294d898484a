package pipeline

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/semaphore"
)

// memoryBudget bounds the bytes of all batches that are between the stages of a pass.
type memoryBudget struct {
	*semaphore.Weighted
	all int64
}

const (
	leastRoom  = 256 << 20
	workerRoom = 64 << 20
)

func newMemoryBudget(workers int) *memoryBudget {
	all := max(leastRoom, int64(workers)*workerRoom)
	return &memoryBudget{semaphore.NewWeighted(all), all}
}

// reserve waits until there is room for a batch, and returns its size in bytes, which the caller
// passes to release.
func (r *memoryBudget) reserve(ctx context.Context, rec arrow.Record) (int64, error) {
	n := int64(0)
	for _, c := range rec.Columns() {
		n += countBytes(c.Data())
	}
	n = min(n, r.all)
	return n, r.Acquire(ctx, n)
}

// countBytes returns the size of the buffers of an array. If the array is a slice, the whole
// buffers count.
func countBytes(a arrow.ArrayData) (n int64) {
	for _, b := range a.Buffers() {
		if b != nil {
			n += int64(b.Len())
		}
	}
	for _, c := range a.Children() {
		n += countBytes(c)
	}
	return n
}

// release frees the bytes that reserve returned.
func (r *memoryBudget) release(bytes int64) { r.Release(bytes) }
