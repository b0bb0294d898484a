package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gelu returns x·Φ(x).
func (l lanes) gelu(x VecVirtual) VecVirtual {
	t, s, p := l.register(), l.register(), l.register()
	VMAXPS(l.constant("-most"), x, t)
	VMINPS(l.constant("most"), t, t)
	VMULPS(t, t, s)
	VMOVUPS(l.constant("normal0"), p)
	for k := 1; k < len(normalSeries); k++ {
		VMULPS(s, p, p)
		VADDPS(l.constant("normal"+string(rune('0'+k))), p, p)
	}
	VMULPS(t, p, p)
	VADDPS(l.constant("1/2"), p, p)
	VMULPS(x, p, p)
	return p
}

// writeFinish writes the function that converts rows of integer sums into results.
func writeFinish(l lanes, how string) {
	l.begin(how, "func(y []float32, stride int, sums []int32, steps, scales, biases []float32, rows int)")
	y, sums, steps, scales, biases := slice("y"), slice("sums"), slice("steps"), slice("scales"), slice("biases")
	stride, n := integer("stride"), integer("rows")
	SHLQ(U8(2), stride)
	Label("rows")
	step := l.register()
	VBROADCASTSS(Mem{Base: steps}, step)
	for k := range l.vectors(columns) {
		x := l.register()
		VCVTDQ2PS(l.at(sums, k), x)
		VMULPS(step, x, x)
		VMULPS(l.at(scales, k), x, x)
		VADDPS(l.at(biases, k), x, x)
		switch how {
		case "storeGELU":
			x = l.gelu(x)
		case "addTo":
			VADDPS(l.at(y, k), x, x)
		}
		VMOVUPS(x, l.at(y, k))
	}
	ADDQ(stride, y)
	ADDQ(U32(4*columns), sums)
	ADDQ(U32(4), steps)
	DECQ(n)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// writeLargest writes the function that finds the largest absolute value of a multiple of 64
// numbers.
func writeLargest(l lanes) {
	l.begin("largest", "func(x []float32) float32")
	x, n := slice("x"), Load(Param("x").Len(), GP64()).(GPVirtual)
	size := l.register()
	VMOVUPS(l.constant("size"), size)
	top := l.registers(4)
	for _, t := range top {
		l.setZero(t)
	}
	Label("more")
	for k, t := range top {
		v := l.register()
		if l.bits == 512 {
			VPANDD(l.at(x, k), size, v)
		} else {
			VPAND(l.at(x, k), size, v)
		}
		VPMAXSD(v, t, t)
	}
	ADDQ(U32(4*l.bytes()), x)
	SUBQ(U32(l.bytes()), n)
	JNZ(LabelRef("more"))
	for _, t := range top[1:] {
		VPMAXSD(t, top[0], top[0])
	}
	Store(l.reduce(top[0], func(a, b Op) { VPMAXSD(a, b, b) }), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// writeRound writes the function that rounds a multiple of 64 numbers to bytes. For AVX-512 it adds
// 128 to each.
func writeRound(l lanes) {
	l.begin("round", "func(q []int8, x []float32, factor float32)")
	q, x, n := slice("q"), slice("x"), Load(Param("x").Len(), GP64()).(GPVirtual)
	factor := l.broadcast("factor")
	Label("more")
	v := l.registers(4)
	for k, v := range v {
		VMULPS(l.at(x, k), factor, v)
		VCVTPS2DQ(v, v)
		if l.bits == 512 {
			VPADDD(l.constant("128"), v, v)
			VPMOVDB(v, Mem{Base: q, Disp: 16 * k})
		}
	}
	if l.bits == 256 {
		VPACKSSDW(v[1], v[0], v[0])
		VPACKSSDW(v[3], v[2], v[2])
		VPACKSSWB(v[2], v[0], v[0])
		order := YMM()
		VMOVDQU(l.constant("order"), order)
		VPERMD(v[0], order, v[0])
		VMOVDQU(v[0], Mem{Base: q})
	}
	ADDQ(U32(4*l.bytes()), x)
	ADDQ(U32(l.bytes()), q)
	SUBQ(U32(l.bytes()), n)
	JNZ(LabelRef("more"))
	VZEROUPPER()
	RET()
}

// writeNorm writes the function that normalises a row of width numbers.
func writeNorm(l lanes) {
	l.begin("norm", "func(x, gamma, beta []float32)")
	x, gamma, beta := slice("x"), slice("gamma"), slice("beta")
	// sum returns the sum of f's results, one vector for each k, in the first lane.
	sum := func(f func(k int) Op) Register {
		acc := l.registers(64 / l.bytes())
		for _, a := range acc {
			l.setZero(a)
		}
		for k := range l.vectors(width) {
			a := acc[k%len(acc)]
			VADDPS(f(k), a, a)
		}
		if len(acc) == 2 {
			VADDPS(acc[1], acc[0], acc[0])
		}
		return l.reduce(acc[0], func(a, b Op) { VADDPS(a, b, b) })
	}
	mean := l.register()
	s := sum(func(k int) Op { return l.at(x, k) })
	VDIVSS(l.constant("width"), s, s)
	VBROADCASTSS(s, mean)
	s = sum(func(k int) Op {
		d := l.register()
		VMOVUPS(l.at(x, k), d)
		VSUBPS(mean, d, d)
		VMULPS(d, d, d)
		return d
	})
	VDIVSS(l.constant("width"), s, s)
	VADDSS(l.constant("epsilon"), s, s)
	VSQRTSS(s, s, s)
	one, factor := XMM(), l.register()
	VMOVSS(l.constant("1"), one)
	VDIVSS(s, one, one)
	VBROADCASTSS(one, factor)
	for k := range l.vectors(width) {
		d := l.register()
		VMOVUPS(l.at(x, k), d)
		VSUBPS(mean, d, d)
		VMULPS(factor, d, d)
		VMULPS(l.at(gamma, k), d, d)
		VADDPS(l.at(beta, k), d, d)
		VMOVUPS(d, l.at(x, k))
	}
	VZEROUPPER()
	RET()
}
