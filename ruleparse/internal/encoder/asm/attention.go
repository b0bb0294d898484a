package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// writeScores writes the function that multiplies a query with keys. The four partial sums of each
// head are 12 lanes apart.
func writeScores(l lanes) {
	l.begin("scores", "func(scores, query, keys []float32, stride, n int)")
	scores, query, keys, stride, n := slice("scores"), slice("query"), slice("keys"), integer("stride"), integer("n")
	SHLQ(U8(2), stride)
	vectors := l.vectors(width)
	var q []VecVirtual
	if l.bits == 512 {
		q = l.registers(vectors)
		for k, v := range q {
			VMOVUPS(l.at(query, k), v)
		}
	}
	Label("keys")
	acc := l.registers(l.vectors(pattern))
	for k := range vectors {
		v := l.register()
		if l.bits == 512 {
			VMULPS(l.at(keys, k), q[k], v)
		} else {
			VMOVUPS(l.at(query, k), v)
			VMULPS(l.at(keys, k), v, v)
		}
		a := acc[k%len(acc)]
		if k < len(acc) {
			VMOVAPS(v, a)
		} else {
			VADDPS(v, a, a)
		}
	}
	if l.bits == 512 {
		parts := l.registers(4)
		VMOVAPS(acc[0], parts[0])
		VALIGND(U8(12), acc[0], acc[1], parts[1])
		VALIGND(U8(8), acc[1], acc[2], parts[2])
		VALIGND(U8(4), acc[2], acc[2], parts[3])
		VADDPS(parts[1], parts[0], parts[0])
		VADDPS(parts[3], parts[2], parts[2])
		VADDPS(parts[2], parts[0], parts[0])
		VPANDD(l.constant("heads"), parts[0], parts[0])
		VMOVUPS(parts[0], Mem{Base: scores})
	} else {
		a, b := YMM(), YMM()
		VPERM2F128(U8(0x21), acc[2], acc[1], a)
		VPERM2F128(U8(0x21), acc[5], acc[4], b)
		VADDPS(a, acc[0], a)
		VADDPS(b, acc[3], b)
		VADDPS(b, a, a)
		VMOVUPS(a, Mem{Base: scores})
		c, d := XMM(), XMM()
		VEXTRACTF128(U8(1), acc[2], c)
		VEXTRACTF128(U8(1), acc[5], d)
		VADDPS(c, acc[1].AsX(), c)
		VADDPS(d, acc[4].AsX(), d)
		VADDPS(d, c, c)
		VMOVUPS(c.AsY(), Mem{Base: scores, Disp: 32})
	}
	ADDQ(stride, keys)
	ADDQ(U32(64), scores)
	DECQ(n)
	JNZ(LabelRef("keys"))
	VZEROUPPER()
	RET()
}

// exp returns e**x for x ≤ 0.
func (l lanes) exp(x VecVirtual) VecVirtual {
	y, k, r := l.register(), l.register(), l.register()
	VMAXPS(l.constant("least"), x, x)
	VMULPS(l.constant("log2e"), x, k)
	if l.bits == 512 {
		VRNDSCALEPS(U8(8), k, k)
	} else {
		VROUNDPS(U8(8), k, k)
	}
	VMULPS(l.constant("ln2"), k, r)
	VSUBPS(r, x, x)
	VMULPS(l.constant("ln2rest"), k, r)
	VSUBPS(r, x, x)
	VMOVUPS(l.constant("exp0"), y)
	for i := 1; i < len(expSeries); i++ {
		VMULPS(x, y, y)
		VADDPS(l.constant("exp"+string(rune('0'+i))), y, y)
	}
	VCVTPS2DQ(k, k)
	VPSLLD(U8(23), k, k)
	VPADDD(k, y, y)
	return y
}

// writeSoftmax writes the function that turns scores into shares, with four copies for each head.
func writeSoftmax(l lanes) {
	l.begin("softmax", "func(shares, scores []float32, n int)")
	shares, scores, n := slice("shares"), slice("scores"), integer("n")
	vectors := 64 / l.bytes()
	top, sum := l.registers(vectors), l.registers(vectors)
	p, left := GP64(), GP64()
	// forEach writes a loop over the rows.
	forEach := func(label string, body func()) {
		MOVQ(scores, p)
		MOVQ(n, left)
		Label(label)
		body()
		ADDQ(U32(64), p)
		DECQ(left)
		JNZ(LabelRef(label))
	}
	for k := range vectors {
		VMOVUPS(l.at(scores, k), top[k])
		l.setZero(sum[k])
	}
	forEach("largest", func() {
		for k := range vectors {
			VMAXPS(l.at(p, k), top[k], top[k])
		}
	})
	forEach("exponents", func() {
		for k := range vectors {
			x := l.register()
			VMOVUPS(l.at(p, k), x)
			VSUBPS(top[k], x, x)
			x = l.exp(x)
			VMOVUPS(x, l.at(p, k))
			VADDPS(x, sum[k], sum[k])
		}
	})
	one := l.register()
	VMOVUPS(l.constant("1"), one)
	for k := range vectors {
		VDIVPS(sum[k], one, sum[k])
	}
	var order []VecVirtual
	if l.bits == 512 {
		order = l.registers(3)
		for k, v := range order {
			VMOVUPS(l.constant("pattern"+string(rune('0'+k))), v)
		}
	}
	forEach("shares", func() {
		x := l.registers(vectors)
		for k := range vectors {
			VMULPS(l.at(p, k), sum[k], x[k])
		}
		if l.bits == 512 {
			for k, v := range order {
				y := ZMM()
				VPERMPS(x[0], v, y)
				VMOVUPS(y, l.at(shares, k))
			}
		} else {
			a, b := YMM(), YMM()
			VPERM2F128(U8(0x20), x[0], x[1], a) // heads 8 to 11, 0 to 3
			VPERM2F128(U8(0x21), x[1], x[0], b) // heads 4 to 7, 8 to 11
			for k := range 2 {
				for i, v := range []VecVirtual{x[0], a, b} {
					VMOVUPS(v, l.at(shares, 3*k+i))
				}
			}
		}
		ADDQ(U32(4*pattern), shares)
	})
	VZEROUPPER()
	RET()
}

// writeContext writes the function that sums values weighted by shares. With AVX-512 the registers
// hold a whole row, with AVX2 only pattern numbers.
func writeContext(l lanes) {
	l.begin("context", "func(out, shares, values []float32, stride, n int)")
	out, stride, n := slice("out"), integer("stride"), integer("n")
	SHLQ(U8(2), stride)
	s, v, left, from := GP64(), GP64(), GP64(), GP64()
	period := l.vectors(pattern)
	vectors := l.vectors(width)
	if l.bits == 256 {
		vectors = period
	}
	XORQ(from, from)
	Label("parts")
	acc := l.registers(vectors)
	shares, values := slice("shares"), slice("values")
	MOVQ(shares, s)
	LEAQ(Mem{Base: values, Index: from, Scale: 1}, v)
	MOVQ(n, left)
	share := l.registers(period)
	add := func(first bool) {
		if l.bits == 512 {
			for k, x := range share {
				VMOVUPS(l.at(s, k), x)
			}
		}
		for k, a := range acc {
			x := a
			if !first {
				x = l.register()
			}
			if l.bits == 512 {
				VMULPS(l.at(v, k), share[k%period], x)
			} else {
				VMOVUPS(l.at(s, k), x)
				VMULPS(l.at(v, k), x, x)
			}
			if !first {
				VADDPS(x, a, a)
			}
		}
		ADDQ(U32(4*pattern), s)
		ADDQ(stride, v)
		DECQ(left)
	}
	add(true)
	JZ(LabelRef("store"))
	Label("values")
	add(false)
	JNZ(LabelRef("values"))
	Label("store")
	for k, a := range acc {
		VMOVUPS(a, l.at(out, k))
	}
	if l.bits == 256 {
		ADDQ(U32(4*pattern), out)
		ADDQ(U32(4*pattern), from)
		CMPQ(from, U32(4*width))
		JLT(LabelRef("parts"))
	}
	VZEROUPPER()
	RET()
}
