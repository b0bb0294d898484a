package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// exp is e to the x, in place, to two units of the last place: 2^n · e^r with
// |r| ≤ ln 2 / 2 and the series of e^r. It is what it is at 88 above that, NaN of
// NaN, and 0 below -69, or 1e-30: products of less would soon be denormal, which
// processors take a hundred times as long for.
func (l lanes) exp(x VecVirtual) VecVirtual {
	y, n := l.vec(), l.vec()
	VMOVUPS(l.c("most"), y)
	VMINPS(x, y, y)
	VMOVUPS(l.c("least"), n)
	VMAXPS(y, n, y)
	VMULPS(l.c("log2e"), y, n)
	if l.bits == 512 {
		VRNDSCALEPS(U8(8), n, n)
	} else {
		VROUNDPS(U8(8), n, n)
	}
	VFNMADD231PS(l.c("ln2"), n, y)
	VFNMADD231PS(l.c("ln2rest"), n, y)
	e := l.vec()
	VMOVUPS(l.c("1/7!"), e)
	for k := 6; k >= 0; k-- {
		VFMADD213PS(l.c("1/"+string(rune('0'+k))+"!"), y, e)
	}
	VCVTPS2DQ(n, n)
	VPSLLD(U8(23), n, n)
	VPADDD(n, e, e)
	if l.bits == 512 {
		there := K()
		VCMPPS(U8(5), l.c("least"), x, there) // not less
		VMOVAPS_Z(e, there, e)
	} else {
		VCMPPS(U8(1), l.c("least"), x, n) // less
		VANDNPS(e, n, e)
	}
	return e
}

// sigmoid is 1/(1 + e^(a·x)), where a is a constant.
func (l lanes) sigmoid(x VecVirtual, a string) VecVirtual {
	z, one := l.vec(), l.vec()
	VMULPS(l.c(a), x, z)
	z = l.exp(z)
	VMOVUPS(l.c("1"), one)
	VADDPS(one, z, z)
	VDIVPS(z, one, z)
	return z
}

// exponentials are the functions of softmax and of QuickGELU.
func exponentials(l lanes) {
	l.text("exp", "func(y, x []float32, a, b float32) float32", "y = exp(a·x + b), and Σ y.")
	sum := l.zero()
	l.each(1, func(p *loop, _ int) {
		x, a := p.load("x"), p.same("a")
		VFMADD213PS(p.same("b"), a, x)
		e := p.exp(x)
		p.store(e, "y")
		p.keep(e)
		VADDPS(e, sum, sum)
	}, "y", "x")
	Store(l.sumLanes(sum), ReturnIndex(0))
	VZEROUPPER()
	RET()

	l.text("quickGELU", "func(y, x []float32)", "y = x·σ(1.702·x).")
	l.each(1, func(p *loop, _ int) {
		x := p.load("x")
		s := p.sigmoid(x, "-1.702")
		VMULPS(x, s, s)
		p.store(s, "y")
	}, "y", "x")
	VZEROUPPER()
	RET()

	l.text("quickGELUSlope", "func(d, dy, x []float32)", "d = dy·(s + z·s·(1 − s)), with z = 1.702·x and s = σ(z).")
	l.each(1, func(p *loop, _ int) {
		x := p.load("x")
		s := p.sigmoid(x, "-1.702")
		other := l.vec()
		VMOVUPS(l.c("1"), other)
		VSUBPS(s, other, other)
		VMULPS(l.c("1.702"), x, x)
		VMULPS(other, x, x)
		VFMADD213PS(s, s, x)
		VMULPS(p.load("dy"), x, x)
		p.store(x, "d")
	}, "d", "dy", "x")
	VZEROUPPER()
	RET()
}
