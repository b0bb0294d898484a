package kernels_test

import (
	"testing"

	"capgraph/kernels"
)

func TestTensorsOfAnArenaAreApart(t *testing.T) {
	for _, size := range []int{0, 1, 31, 32, 33, 1000} {
		d := kernels.NewReference()
		a := kernels.NewArena(d, size)
		for range 2 {
			var all []kernels.Tensor
			for i, shape := range [][2]int{{1, 1}, {0, 5}, {3, 11}, {1, 32}, {7, 13}, {1, 0}} {
				x := a.Tensor(shape[0], shape[1])
				if len(x.F64) != shape[0]*shape[1] {
					t.Fatalf("%v has %d elements", shape, len(x.F64))
				}
				d.Fill(x, float64(i))
				all = append(all, x)
			}
			for i, x := range all {
				for _, v := range x.F64 {
					if v != float64(i) {
						t.Fatalf("an arena of %d: tensor %d holds %v", size, i, v)
					}
				}
			}
			if a.Used() != 32+64+32+96 || a.Peak() != a.Used() {
				t.Errorf("an arena of %d: %d in use, %d at most", size, a.Used(), a.Peak())
			}
			a.Reset()
			if a.Used() != 0 {
				t.Errorf("an empty arena has %d in use", a.Used())
			}
		}
	}
}

func TestAPlanCountsProducts(t *testing.T) {
	plan := &kernels.CountingDevice{ElementSize: 4}
	tape := kernels.NewTape(plan, kernels.NewCountingArena(plan))
	x, w := tape.Input(tape.Arena.Tensor(10, 64)), tape.Input(tape.Arena.Tensor(192, 64))
	qkv := tape.Linear(x, w, nil, nil, kernels.NoActivation)
	if want := 2. * 10 * 64 * 192; plan.Flops != want {
		t.Errorf("a linear layer is %v operations, want %v", plan.Flops, want)
	}
	y := tape.Attention(qkv, plan.Ints([]int32{0, 3, 3, 10}), 8, true)
	// Scores and their sums: two products, 64 wide, of 3² and of 7² pairs.
	forward := 2.*10*64*192 + 2*2*64*(3*3+7*7)
	if plan.Flops != forward {
		t.Errorf("with attention it is %v operations, want %v", plan.Flops, forward)
	}
	tape.Seed(y, tape.Arena.Tensor(10, 64))
	tape.Backward()
	// Back: twice the linear layer, and scores again, then those of v, p, q and k.
	if want := forward + 2*2.*10*64*192 + 5*2*64*(3*3+7*7); plan.Flops != want {
		t.Errorf("forward and back is %v operations, want %v", plan.Flops, want)
	}
	// A value a tensor: x, w, qkv, y, lse, then the seed and the gradients of the first three.
	if want := 640 + 192*64 + 1920 + 640 + 96 + 640 + 1920 + 640 + 192*64; tape.Arena.Peak() != want {
		t.Errorf("the step takes %d elements, want %d", tape.Arena.Peak(), want)
	}
}
