package encoder

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eachKernel calls test with each kernel of this processor but the portable one.
func eachKernel(t *testing.T, test func(t *testing.T, k *kernelSet, rnd *rand.Rand)) {
	for _, k := range kernels()[1:] {
		t.Run(k.name, func(t *testing.T) { test(t, k, rand.New(rand.NewPCG(1, 2))) })
	}
}

// randomFloats returns n numbers of many sizes, and some zeros.
func randomFloats(rnd *rand.Rand, n int, size float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		switch rnd.IntN(8) {
		case 0:
		case 1:
			x[i] = float32(rnd.NormFloat64() * size * math.Exp(4*rnd.NormFloat64()))
		default:
			x[i] = float32(rnd.NormFloat64() * size)
		}
	}
	return x
}

func chooseInt8(rnd *rand.Rand, n int, choices []int8) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = choices[rnd.IntN(len(choices))]
	}
	return x
}

func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestProductsAgree(t *testing.T) {
	var all []int8
	for v := -127; v <= 127; v++ {
		all = append(all, int8(v))
	}
	choices := [][]int8{{0}, {127}, {-127}, {127, -127}, {-1, 0, 1}, all}
	eachKernel(t, func(t *testing.T, k *kernelSet, rnd *rand.Rand) {
		for _, values := range choices {
			for _, weights := range choices {
				inputs, rows := []int{headInner, Width, inner}[rnd.IntN(3)], 1+rnd.IntN(2*k.rows)
				m := matrix{weights: chooseInt8(rnd, columns*inputs, weights), inputs: inputs, scales: make([]float32, columns)}
				room := (rows + k.rows - 1) / k.rows * k.rows
				q := chooseInt8(rnd, room*inputs, values)
				start, want, got := make([]int32, columns), make([]int32, rows*columns), make([]int32, room*columns)
				portableProducts(want, start, q, m.weights, rows, inputs)
				if k.unsigned {
					start = k.startSums(&m)
					for i := range q {
						q[i] ^= -128
					}
				}
				k.products(got, start, q, m.weights, rows, inputs)
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("values %v, weights %v, %d inputs: sum %d of %d rows is %d, want %d", values, weights, inputs, i, rows, got[i], want[i])
					}
				}
			}
		}
	})
}

func TestFinishAgrees(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *kernelSet, rnd *rand.Rand) {
		for rows := 1; rows < 5; rows++ {
			sums := make([]int32, rows*columns)
			for i := range sums {
				sums[i] = int32(rnd.Uint32()) >> rnd.IntN(32)
			}
			steps, scales, biases := randomFloats(rnd, rows, 0.01), randomFloats(rnd, columns, 0.01), randomFloats(rnd, columns, 1)
			for how := range k.finish {
				want := randomFloats(rnd, rows*100, 1)
				got := append([]float32(nil), want...)
				portable.finish[how](want, 100, sums, steps, scales, biases, rows)
				k.finish[how](got, 100, sums, steps, scales, biases, rows)
				sameBits(t, "finish", got, want)
			}
		}
	})
}

func TestRowKernelsAgree(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *kernelSet, rnd *rand.Rand) {
		for range 100 {
			for _, n := range []int{headInner, Width, inner} {
				x := randomFloats(rnd, n, math.Exp(3*rnd.NormFloat64()))
				largest := portableLargest(x)
				if got := k.largest(x); got != largest {
					t.Fatalf("largest of %d is %g, want %g", n, got, largest)
				}
				want, got := make([]int8, n), make([]int8, n)
				portableRound(want, x, 127/largest)
				k.round(got, x, 127/largest)
				for i := range want {
					if k.unsigned {
						got[i] ^= -128
					}
					if got[i] != want[i] {
						t.Fatalf("%g is rounded to %d, want %d", x[i], got[i], want[i])
					}
				}
			}
			want, gamma, beta := randomFloats(rnd, Width, 1), randomFloats(rnd, Width, 1), randomFloats(rnd, Width, 1)
			got := append([]float32(nil), want...)
			portableNorm(want, gamma, beta)
			k.norm(got, gamma, beta)
			sameBits(t, "norm", got, want)
		}
		zeros, q := make([]float32, Width), make([]int8, Width)
		if k.round(q, zeros, 0); k.largest(zeros) != 0 || k.unsigned && q[5] != -128 || !k.unsigned && q[5] != 0 {
			t.Errorf("zeros are rounded to %v", q[:5])
		}
	})
}

func TestAttentionKernelsAgree(t *testing.T) {
	const stride = 3 * Width
	eachKernel(t, func(t *testing.T, k *kernelSet, rnd *rand.Rand) {
		for _, n := range []int{1, 2, 3, 17, 100} {
			size := math.Exp(rnd.NormFloat64())
			query, keys := randomFloats(rnd, Width, size), randomFloats(rnd, n*stride, size)
			want, got := make([]float32, n*lanes), make([]float32, n*lanes)
			portableScores(want, query, keys, stride, n)
			k.scores(got, query, keys, stride, n)
			sameBits(t, "scores", got, want)
			wantShares, gotShares := make([]float32, n*pattern), make([]float32, n*pattern)
			portableSoftmax(wantShares, want, n)
			k.softmax(gotShares, got, n)
			sameBits(t, "softmax", gotShares, wantShares)
			want, got = make([]float32, Width), make([]float32, Width)
			portableContext(want, wantShares, keys, stride, n)
			k.context(got, wantShares, keys, stride, n)
			sameBits(t, "context", got, want)
		}
	})
}

// TestFunctionsAreNear compares exp and gelu with package math.
func TestFunctionsAreNear(t *testing.T) {
	for x := -90.0; x <= 10; x += 0.0137 {
		if x <= 0 && x > -87 {
			if got, want := float64(exp(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 1e-6*want {
				t.Errorf("exp(%g) = %g, want %g", x, got, want)
			}
		}
		if got, want := float64(gelu(float32(x))), x*math.Erfc(-x/math.Sqrt2)/2; math.Abs(got-want) > 2e-5*max(3, math.Abs(x)) {
			t.Errorf("gelu(%g) = %g, want %g", x, got, want)
		}
	}
	if exp(-1e30) > 1e-37 || exp(0) != 1 {
		t.Errorf("exp(-1e30) = %g, exp(0) = %g", exp(-1e30), exp(0))
	}
}

func BenchmarkProducts(b *testing.B) {
	for _, k := range kernels()[1:] {
		for _, inputs := range []int{Width, inner} {
			b.Run(k.name, func(b *testing.B) {
				const rows = 96
				q, w, sums, start := make([]int8, rows*inputs), make([]int8, columns*inputs), make([]int32, rows*columns), make([]int32, columns)
				least := processorTime(b) + 1e12
				for b.Loop() {
					s := processorTime(b)
					for range 10 {
						k.products(sums, start, q, w, rows, inputs)
					}
					least = min(least, processorTime(b)-s)
				}
				b.ReportMetric(float64(10*rows*columns*inputs)/float64(least.Nanoseconds()), "products/ns")
			})
		}
	}
}
