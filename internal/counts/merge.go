package counts

import (
	"cmp"
	"container/heap"
	"iter"

	"capgraph/schemas"
)

// Merge yields the sums of sorted runs, in the same order, up to the first error.
func Merge(runs []iter.Seq2[schemas.Count, error]) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		var heads runHeap
		for _, run := range runs {
			next, stop := iter.Pull2(run)
			defer stop()
			row, err, ok := next()
			if err != nil {
				yield(row, err)
				return
			}
			if ok {
				heads = append(heads, &runHead{row, next})
			}
		}
		heap.Init(&heads)
		var sum schemas.Count
		for len(heads) > 0 {
			head := heads[0]
			if head.row.Kind == sum.Kind && head.row.Key == sum.Key {
				sum.N += head.row.N
			} else {
				if sum.N != 0 && !yield(sum, nil) {
					return
				}
				sum = head.row
			}
			row, err, ok := head.next()
			if err != nil {
				yield(row, err)
				return
			}
			if !ok {
				heap.Pop(&heads)
				continue
			}
			head.row = row
			heap.Fix(&heads, 0)
		}
		if sum.N != 0 {
			yield(sum, nil)
		}
	}
}

// runHead is the next row of a run.
type runHead struct {
	row  schemas.Count
	next func() (schemas.Count, error, bool)
}

// runHeap is a heap of runs by their next rows.
type runHeap []*runHead

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	a, b := h[i].row, h[j].row
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) < 0
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*runHead)) }
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
