package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// exp writes e^x, exact to two units in the last place: 2^n · e^r with |r| ≤ ln 2 / 2 and the
// series of e^r. x is limited to 88; NaN stays NaN. The result is 0 for x below -69, where e^x is
// 1e-30: products of smaller numbers would soon be denormal, and a hundred times slower.
func (l lanes) exp(x VecVirtual) VecVirtual {
	y, n := l.register(), l.register()
	VMOVUPS(l.constant("most"), y)
	VMINPS(x, y, y)
	VMOVUPS(l.constant("least"), n)
	VMAXPS(y, n, y)
	VMULPS(l.constant("log2e"), y, n)
	if l.bits == 512 {
		VRNDSCALEPS(U8(8), n, n)
	} else {
		VROUNDPS(U8(8), n, n)
	}
	VFNMADD231PS(l.constant("ln2"), n, y)
	VFNMADD231PS(l.constant("ln2rest"), n, y)
	e := l.register()
	VMOVUPS(l.constant("1/7!"), e)
	for k := 6; k >= 0; k-- {
		VFMADD213PS(l.constant("1/"+string(rune('0'+k))+"!"), y, e)
	}
	VCVTPS2DQ(n, n)
	VPSLLD(U8(23), n, n)
	VPADDD(n, e, e)
	if l.bits == 512 {
		inRange := K()
		VCMPPS(U8(5), l.constant("least"), x, inRange) // not less
		VMOVAPS_Z(e, inRange, e)
	} else {
		VCMPPS(U8(1), l.constant("least"), x, n) // less
		VANDNPS(e, n, e)
	}
	return e
}

// sigmoid writes 1/(1 + e^(a·x)), where a is the name of a constant.
func (l lanes) sigmoid(x VecVirtual, a string) VecVirtual {
	z, one := l.register(), l.register()
	VMULPS(l.constant(a), x, z)
	z = l.exp(z)
	VMOVUPS(l.constant("1"), one)
	VADDPS(one, z, z)
	VDIVPS(z, one, z)
	return z
}

// writeExponentials writes the functions of softmax and of QuickGELU.
func writeExponentials(l lanes) {
	l.beginFunction("exp", "func(y, x []float32, a, b float32) float32", "y = exp(a·x + b), and Σ y.")
	sum := l.zeroRegister()
	l.forEachVector(1, func(p *loop, _ int) {
		x, a := p.load("x"), p.broadcast("a")
		VFMADD213PS(p.broadcast("b"), a, x)
		e := p.exp(x)
		p.store(e, "y")
		p.zeroTail(e)
		VADDPS(e, sum, sum)
	}, "y", "x")
	Store(l.sumLanes(sum), ReturnIndex(0))
	VZEROUPPER()
	RET()

	l.beginFunction("quickGELU", "func(y, x []float32)", "y = x·σ(1.702·x).")
	l.forEachVector(1, func(p *loop, _ int) {
		x := p.load("x")
		s := p.sigmoid(x, "-1.702")
		VMULPS(x, s, s)
		p.store(s, "y")
	}, "y", "x")
	VZEROUPPER()
	RET()

	l.beginFunction("quickGELUSlope", "func(d, dy, x []float32)", "d = dy·(s + z·s·(1 − s)), with z = 1.702·x and s = σ(z).")
	l.forEachVector(1, func(p *loop, _ int) {
		x := p.load("x")
		s := p.sigmoid(x, "-1.702")
		other := l.register()
		VMOVUPS(l.constant("1"), other)
		VSUBPS(s, other, other)
		VMULPS(l.constant("1.702"), x, x)
		VMULPS(other, x, x)
		VFMADD213PS(s, s, x)
		VMULPS(p.load("dy"), x, x)
		p.store(x, "d")
	}, "d", "dy", "x")
	VZEROUPPER()
	RET()
}
