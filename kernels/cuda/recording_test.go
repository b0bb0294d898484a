package cuda

import (
	"slices"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
)

// padded is a small text tower whose batches are padded to 12 tokens of 4 texts and
// 6 distinct tokens.
type padded struct {
	d         *Device
	tape      *kernels.Tape
	parts     kernels.Recording
	weights   []*kernels.Var
	y         *kernels.Var
	seed      kernels.Tensor
	asides    int
	counting  uint64 // where the card has the numbers from 0 on
	batch     [6]kernels.Ints
	seedOfAll []float64
}

const wide = 8

func newPadded(d *Device) *padded {
	p := &padded{d: d, tape: kernels.NewTape(d, kernels.NewArena(d, 0)), parts: d.NewRecording()}
	random := portable.SplitMix64(5)
	for _, s := range [][2]int{{6, wide}, {12, wide}, {1, wide}, {1, wide}, {3 * wide, wide}, {1, 3 * wide}, {wide, wide}, {16, wide}, {wide, 16}} {
		value := kernels.Tensor{Rows: s[0], Cols: s[1], Memory: d.Alloc(s[0] * s[1])}
		numbers := make([]float64, value.Len())
		for i := range numbers {
			numbers[i] = float64(random.IntN(2001))/1000 - 1
		}
		d.Write(value, numbers)
		p.weights = append(p.weights, kernels.NewParameter(value, kernels.Tensor{Rows: s[0], Cols: s[1], Memory: d.Alloc(value.Len())}))
	}
	p.counting = d.Alloc(5).Address
	d.fail(d.context.Upload(p.counting, bytesOf([]int32{0, 1, 2, 3, 4}), d.copies))
	for range 4 * wide {
		p.seedOfAll = append(p.seedOfAll, float64(random.IntN(1000))/1000)
	}
	return p
}

// round is a step of texts, of which all gradients come back, and the features.
func (p *padded) round(lengths ...int32) []float64 {
	d, w := p.d, p.weights
	d.Reset()
	p.tape.Reset()
	p.tape.Arena.Reset()
	var ids []int32
	starts := []int32{0}
	var ends []int32
	for i, n := range lengths {
		for k := range n {
			ids = append(ids, (int32(i)*3+k*k)%6)
		}
		starts = append(starts, starts[i]+n)
		ends = append(ends, starts[i+1]-1)
	}
	var g kernels.Grouper
	values, bounds, order := g.GroupBy(ids, 6)
	for len(values) < 6 {
		values, bounds = append(values, 0), append(bounds, bounds[len(bounds)-1])
	}
	p.parts.Begin()
	for i, v := range [][]int32{ids, starts, ends, values, bounds, order} {
		p.batch[i] = d.Ints(v)
	}
	p.parts.Do(func() {
		b, t := p.batch, p.tape
		x := t.Tokens(w[0], w[1], b[0], b[1], kernels.Groups{Values: b[3], Bounds: b[4], Order: b[5]})
		h := t.Linear(t.LayerNorm(x, w[2], w[3], 1e-5), w[4], w[5], nil, kernels.NoActivation)
		x = t.Linear(t.Attention(h, b[1], 2, true), w[6], nil, x, kernels.NoActivation)
		x = t.Linear(t.Linear(x, w[7], nil, nil, kernels.GELU), w[8], nil, x, kernels.NoActivation)
		var last kernels.Grouper
		end := b[2].Host
		v, bo, o := last.GroupBy(end, 12)
		p.y = t.Normalize(t.Gather(x, b[2], kernels.Groups{Values: kernels.Ints{Host: v, Address: b[2].Address}, Bounds: kernels.Ints{Host: bo, Address: p.counting}, Order: kernels.Ints{Host: o, Address: p.counting}}))
		p.seed = t.Arena.Tensor(4, wide)
	})
	d.Write(p.seed, p.seedOfAll)
	for _, v := range w {
		d.Zero(v.Grad)
	}
	p.parts.Do(func() {
		p.tape.Seed(p.y, p.seed)
		d.RunUnrecorded(func() { p.asides++ })
		p.tape.Backward()
	})
	out := make([]float64, p.y.Value.Len())
	d.Read(out, p.y.Value)
	for _, v := range w {
		grad := make([]float64, v.Grad.Len())
		d.Read(grad, v.Grad)
		out = append(out, grad...)
	}
	return out
}

// Rounds that are called, kept and repeated have the same bits, whatever their texts.
func TestRoundsThatAreRepeated(t *testing.T) {
	batches := [][]int32{{3, 3, 3, 3}, {1, 9, 1, 1}, {5, 1, 4, 2}, {2, 2, 2, 6}, {9, 1, 1, 1}, {3, 3, 3, 3}, {4, 4, 2, 2}}
	for _, precision := range []Precision{Float32, BFloat16} {
		eager, card := newFakeCard(t), newFakeCard(t)
		eager.noGraphs = true
		a, b := newPadded(eager.device(precision)), newPadded(card.device(precision))
		for i, lengths := range batches {
			launches := card.launches
			want, got := a.round(lengths...), b.round(lengths...)
			if !slices.Equal(got, want) || b.d.Err() != nil || a.d.Err() != nil {
				t.Fatalf("%v, round %d: other bits than without graphs, %v, %v", precision, i, a.d.Err(), b.d.Err())
			}
			if again := i > 1 && i != 5; again != (card.launches == launches) {
				t.Errorf("%v, round %d: %d launches by the host", precision, i, card.launches-launches)
			}
			if i == 4 { // memory that is given back may be what was kept
				b.d.Free(b.d.Alloc(1))
			}
		}
		if card.ran != 3*6 || eager.ran != 0 || a.asides != len(batches) || b.asides != len(batches) {
			t.Errorf("%v: %d and %d graphs were run, %d and %d asides done", precision, card.ran, eager.ran, a.asides, b.asides)
		}
		b.parts.Free()
		for g, kept := range card.graphs {
			if kept != nil {
				t.Errorf("graph %d is left", g)
			}
		}
	}
}

// What a recorded stream does not take ends the recording, and nothing is lost.
func TestMemoryIsTakenWhileWorkIsKept(t *testing.T) {
	card := newFakeCard(t)
	d := card.device(Float32)
	r := d.NewRecording()
	y := kernels.Tensor{Rows: 1, Cols: 3, Memory: d.Alloc(3)}
	got := make([]float64, 3)
	for i := range 5 {
		r.Begin()
		in := d.Bytes([]byte{byte(i), 0, 0, 0})
		if i > 0 && string(card.at(in.Address, 1)) != string([]byte{byte(i)}) {
			t.Error("an input is not what it was set to")
		}
		r.Do(func() {
			d.Fill(y, 1)
			if i == 1 {
				d.Alloc(7)
			}
			d.AddScaled(y, y, 2)
		})
		if d.Read(got, y); !slices.Equal(got, []float64{3, 3, 3}) || d.Err() != nil {
			t.Errorf("round %d: %v, %v", i, got, d.Err())
		}
	}
	if card.ran != 1+3 { // what was begun in round 1; then round 2, kept, 3 and 4
		t.Errorf("%d graphs were run", card.ran)
	}
}
