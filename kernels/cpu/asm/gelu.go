package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// normalCDF writes the normal distribution Φ(x), and e^(−x²/2). The rounding error of x² is
// corrected, so that small values of Φ keep their relative precision.
func (l lanes) normalCDF(x VecVirtual) (distribution, e VecVirtual) {
	square, rest := l.register(), l.register()
	VMULPS(x, x, square)
	VMOVAPS(square, rest)
	VFMSUB231PS(x, x, rest) // x·x − square
	VMULPS(l.constant("-1/2"), square, square)
	e = l.exp(square)
	VMULPS(l.constant("-1/2"), rest, rest)
	VFMADD213PS(e, e, rest) // e·(1 + rest)
	e = rest

	t, one, tail := l.register(), l.register(), l.register()
	if l.bits == 512 {
		VPANDND(x, l.signBits(), t)
	} else {
		VANDNPS(x, l.signBits(), t)
	}
	VMOVUPS(l.constant("1"), one)
	VFMADD132PS(l.constant("0.35"), one, t) // 1 + 0.35·|x|
	VDIVPS(t, one, t)
	VMOVUPS(l.constant("phi8"), tail)
	for k := 7; k >= 0; k-- {
		VFMADD213PS(l.constant("phi"+string(rune('0'+k))), t, tail)
	}
	VMULPS(t, tail, tail)
	VMULPS(e, tail, tail)

	// Φ is tail if x is negative, otherwise 1 − tail.
	distribution = l.register()
	VSUBPS(tail, one, distribution)
	if l.bits == 512 {
		negative := K()
		VPMOVD2M(x, negative)
		VBLENDMPS(tail, distribution, negative, distribution)
	} else {
		VBLENDVPS(x, tail, distribution, distribution)
	}
	return distribution, e
}

// signBits returns a register with the sign bit in each lane.
func (l lanes) signBits() VecVirtual {
	v := l.register()
	VMOVUPS(l.constant("sign"), v)
	return v
}

// writeGELU writes the GELU (Hendrycks and Gimpel 2016) and its derivative.
func writeGELU(l lanes) {
	l.beginFunction("gelu", "func(y, x []float32)", "y = x·Φ(x).")
	l.forEachVector(1, func(p *loop, _ int) {
		x := p.load("x")
		distribution, _ := p.normalCDF(x)
		VMULPS(x, distribution, distribution)
		p.store(distribution, "y")
	}, "y", "x")
	VZEROUPPER()
	RET()

	l.beginFunction("geluSlope", "func(d, dy, x []float32)", "d = dy·(Φ(x) + x·φ(x)).")
	l.forEachVector(1, func(p *loop, _ int) {
		x := p.load("x")
		distribution, e := p.normalCDF(x)
		VMULPS(l.constant("1/sqrt2pi"), e, e)
		VFMADD213PS(distribution, x, e)
		VMULPS(p.load("dy"), e, e)
		p.store(e, "d")
	}, "d", "dy", "x")
	VZEROUPPER()
	RET()
}
