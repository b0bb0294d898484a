package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// normal is the distribution Φ of the normal law at x and e^(−x²/2). What x² lacks
// in float32 is put back, so that the tail keeps its relative precision.
func (l lanes) normal(x VecVirtual) (distribution, e VecVirtual) {
	square, rest := l.vec(), l.vec()
	VMULPS(x, x, square)
	VMOVAPS(square, rest)
	VFMSUB231PS(x, x, rest) // x·x − square
	VMULPS(l.c("-1/2"), square, square)
	e = l.exp(square)
	VMULPS(l.c("-1/2"), rest, rest)
	VFMADD213PS(e, e, rest) // e·(1 + rest)
	e = rest

	t, one, tail := l.vec(), l.vec(), l.vec()
	if l.bits == 512 {
		VPANDND(x, l.sign(), t)
	} else {
		VANDNPS(x, l.sign(), t)
	}
	VMOVUPS(l.c("1"), one)
	VFMADD132PS(l.c("0.35"), one, t) // 1 + 0.35·|x|
	VDIVPS(t, one, t)
	VMOVUPS(l.c("phi8"), tail)
	for k := 7; k >= 0; k-- {
		VFMADD213PS(l.c("phi"+string(rune('0'+k))), t, tail)
	}
	VMULPS(t, tail, tail)
	VMULPS(e, tail, tail)

	// Φ is the tail where x is negative, else 1 − the tail.
	distribution = l.vec()
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

// sign is a register of sign bits.
func (l lanes) sign() VecVirtual {
	v := l.vec()
	VMOVUPS(l.c("sign"), v)
	return v
}

// gelu are the GELU (Hendrycks and Gimpel 2016) and its derivative.
func gelu(l lanes) {
	l.text("gelu", "func(y, x []float32)", "y = x·Φ(x).")
	l.each(1, func(p *loop, _ int) {
		x := p.load("x")
		distribution, _ := p.normal(x)
		VMULPS(x, distribution, distribution)
		p.store(distribution, "y")
	}, "y", "x")
	VZEROUPPER()
	RET()

	l.text("geluSlope", "func(d, dy, x []float32)", "d = dy·(Φ(x) + x·φ(x)).")
	l.each(1, func(p *loop, _ int) {
		x := p.load("x")
		distribution, e := p.normal(x)
		VMULPS(l.c("1/sqrt2pi"), e, e)
		VFMADD213PS(distribution, x, e)
		VMULPS(p.load("dy"), e, e)
		p.store(e, "d")
	}, "d", "dy", "x")
	VZEROUPPER()
	RET()
}
