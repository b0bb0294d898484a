package kernels_test

import (
	"slices"
	"testing"

	"capgraph/kernels"
)

func TestGroupBy(t *testing.T) {
	var g kernels.Grouper
	for _, c := range []struct {
		values                  []int32
		n                       int
		distinct, bounds, order []int32
	}{
		{nil, 0, nil, []int32{0}, nil},
		{nil, 3, nil, []int32{0}, nil},
		{[]int32{0}, 1, []int32{0}, []int32{0, 1}, []int32{0}},
		{[]int32{4, 1, 4, 0, 1, 4}, 6, []int32{0, 1, 4}, []int32{0, 1, 3, 6}, []int32{3, 1, 4, 0, 2, 5}},
		{[]int32{2, 2}, 3, []int32{2}, []int32{0, 2}, []int32{0, 1}},
	} {
		distinct, bounds, order := g.GroupBy(c.values, c.n)
		if !slices.Equal(distinct, c.distinct) || !slices.Equal(bounds, c.bounds) || !slices.Equal(order, c.order) {
			t.Errorf("%v: %v %v %v", c.values, distinct, bounds, order)
		}
	}
	values := []int32{3, 1, 3}
	if n := testing.AllocsPerRun(10, func() { g.GroupBy(values, 6) }); n != 0 {
		t.Errorf("grouping again allocates %v times", n)
	}
}
