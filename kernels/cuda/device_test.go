package cuda

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/selfcheck"
	"capgraph/testing/longtest"
)

// The device computes what the reference does, its kernels being run on the
// processor: exact products, and those of bf16.
func TestTheDeviceComputesWhatTheReferenceDoes(t *testing.T) {
	card := newFakeCard(t)
	for _, precision := range []Precision{Float32, BFloat16} {
		d := card.device(precision)
		for _, c := range selfcheck.Cases() {
			if c.Large && !longtest.Wanted() || precision == BFloat16 && !UsesBFloat16(c.Operation) {
				continue
			}
			o, b := selfcheck.Compare(d, c), precision.Bounds(c)
			if !(o.Value <= b.Value && o.Gradient <= b.Gradient) {
				t.Errorf("%v, %s: values are off by %.2g, gradients by %.2g", precision, c.Name, o.Value, o.Gradient)
			}
			for _, m := range o.Mistakes {
				t.Errorf("%v, %s: %s", precision, c.Name, m)
			}
		}
		if err := d.Close(); err != nil || len(card.memory) > 0 || len(card.pinned) > 0 || !card.closed {
			t.Errorf("closing: %v; %d pieces of memory and %d pinned ones are left", err, len(card.memory), len(card.pinned))
		}
	}
}

// Where cuBLASLt has no product with a bias and a residual, a kernel adds them.
func TestProductsWithoutBias(t *testing.T) {
	card := newFakeCard(t)
	card.noFused = true
	d := card.device(Float32)
	for _, c := range selfcheck.Cases() {
		if strings.HasPrefix(c.Name, "linear 7 × 5 → 3, activation 0") {
			if o := selfcheck.Compare(d, c); o.Value > 1e-6 || o.Gradient > 1e-6 || len(o.Mistakes) > 0 {
				t.Errorf("%s: %+v", c.Name, o)
			}
		}
	}
	if !slices.Contains(card.calls, "linear_forward") {
		t.Error("no kernel has added a bias")
	}
}

// Images are compared with their texts in one batch of products, whether each has as many or not; so are patches with
// themselves. The gradient of texts that all images share is one product.
func TestPatchesAreComparedInBatches(t *testing.T) {
	card := newFakeCard(t)
	d := card.device(Float32)
	for name, want := range map[string][]string{
		"all texts with all images":                        {"[4, 15]·[15, 4] of float32", "[4, 4]·[4, 5] × 3 of float32", "[5, 4]·[4, 4] × 3 of float32"},
		"texts of their images, one without, one left out": {"[16, 3]·[3, 5] × 3 of float32", "[16, 5]·[5, 3] × 3 of float32", "[3, 16]·[16, 5] × 3 of float32"},
		"as many texts of each image, some between them, some shared": {
			"[16, 3]·[3, 4] × 6 of float32", "[16, 4]·[4, 3] × 6 of float32", "[3, 16]·[16, 4] × 6 of float32"},
		"texts that overlap":      {"[16, 2]·[2, 4] × 3 of float32", "[2, 16]·[16, 4] × 3 of float32", "[3, 4]·[4, 2] × 3 of float32"},
		"patches with themselves": {"[3, 3]·[3, 4] × 2 of float32", "[3, 4]·[4, 3] × 2 of float32"},
		"no text":                 nil,
	} {
		i := slices.IndexFunc(selfcheck.Cases(), func(c selfcheck.Case) bool {
			return strings.HasPrefix(c.Name, "block product") && strings.HasSuffix(c.Name, name)
		})
		if i < 0 {
			t.Fatalf("there is no case %q", name)
		}
		card.calls = nil
		if o := selfcheck.Compare(d, selfcheck.Cases()[i]); o.Value > 1e-6 || o.Gradient > 1e-6 || len(o.Mistakes) > 0 {
			t.Errorf("%s: %+v", name, o)
		}
		products := slices.DeleteFunc(card.calls, func(call string) bool { return !strings.HasPrefix(call, "[") })
		slices.Sort(products)
		if products = slices.Compact(products); !slices.Equal(products, want) {
			t.Errorf("%s: %q, not %q", name, products, want)
		}
	}
}

func TestImagesAreAttendedToOverWholeMatrices(t *testing.T) {
	card := newFakeCard(t)
	d := card.device(BFloat16)
	for _, c := range []struct {
		lengths []int32
		want    string
	}{{[]int32{50, 50}, "heads_softmax"}, {[]int32{50, 49}, "attention_forward"}, {[]int32{7, 7}, "attention_forward"}} {
		card.calls = nil
		starts := []int32{0}
		for _, n := range c.lengths {
			starts = append(starts, starts[len(starts)-1]+n)
		}
		tape := kernels.NewTape(d, kernels.NewArena(d, 0))
		tape.ForwardOnly = true
		qkv := tape.Constant(tape.Arena.Tensor(int(starts[2]), 48))
		d.Zero(qkv.Value)
		tape.Attention(qkv, d.Ints(starts), 2, true)
		if !slices.Contains(card.calls, c.want) || d.Err() != nil {
			t.Errorf("%v: %q, %v", c.lengths, card.calls, d.Err())
		}
	}
}

func TestMemoryThatIsNotThereIsAnError(t *testing.T) {
	card := newFakeCard(t)
	card.room = 40 << 20
	d := card.device(BFloat16)
	if m := d.Alloc(1 << 20); m.Address == 0 || d.Err() != nil {
		t.Fatalf("%v, %v", m, d.Err())
	}
	y := kernels.Tensor{Rows: 1, Cols: 20 << 20, Memory: d.Alloc(20 << 20)}
	var failed *MemoryError
	if err := d.Err(); !errors.Is(err, kernels.ErrMemory) || !errors.As(err, &failed) ||
		err.Error() != "fake: out of memory: 0.08 GB more were asked for, 0.00 GB are held already, 0.04 GB of 1.07 GB are free" {
		t.Fatal(err)
	}
	// Nothing is done from then on, and nothing panics.
	launched := card.launches
	d.Fill(y, 1)
	d.Write(y, make([]float64, y.Len()))
	d.Ints([]int32{1})
	d.Reset()
	a := kernels.NewArena(d, 10)
	d.Linear(a.Tensor(2, 2), kernels.Tensor{}, a.Tensor(2, 3), a.Tensor(2, 3), kernels.Tensor{}, kernels.Tensor{}, kernels.GELU)
	got := []float64{0, 0}
	d.Read(got, kernels.Tensor{Rows: 1, Cols: 2})
	if card.launches != launched || !math.IsNaN(got[0]) || !math.IsNaN(got[1]) {
		t.Errorf("after an error %d kernels were launched, and %v was read", card.launches-launched, got)
	}
	if err := d.Close(); err != nil || len(card.memory) > 0 {
		t.Errorf("%v, %d pieces of memory are left", err, len(card.memory))
	}
}

func TestWhatFailsNamesTheKernel(t *testing.T) {
	card := newFakeCard(t)
	card.failAfter = 1
	d := card.device(BFloat16)
	y := kernels.Tensor{Rows: 1, Cols: 3, Memory: d.Alloc(3)}
	d.Fill(y, 1)
	d.Clamp(y, 0, 1)
	d.Fill(y, 2)
	want := "fake: kernel clamp: cuLaunchKernel: a kernel touched memory that is not its own: please report it, with the output of capgraph doctor (CUDA error 700)"
	if err := d.Err(); err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

// What was uploaded for a step stays until the step after the next.
func TestUploadsOfTwoSteps(t *testing.T) {
	card := newFakeCard(t)
	d := card.device(BFloat16)
	var before []kernels.Bytes
	held := 0
	for step := range 6 {
		d.Reset()
		var now []kernels.Bytes
		for i := range 5 {
			from := make([]byte, 300_000)
			for k := range from {
				from[k] = byte(step*5 + i + k)
			}
			now = append(now, d.Bytes(from))
		}
		for _, b := range slices.Concat(before, now) {
			if !slices.Equal(card.at(b.Address, uint64(b.Len())), b.Host) {
				t.Fatalf("step %d: bytes are not what they were", step)
			}
		}
		before = now
		if step == 3 {
			held = len(card.memory)
		}
	}
	if len(card.memory) != held {
		t.Errorf("steps of one size have taken more memory: %d pieces, then %d", held, len(card.memory))
	}
	if b := d.Bytes(nil); b.Address != 0 || d.Err() != nil {
		t.Errorf("no bytes are at %d, %v", b.Address, d.Err())
	}
}
