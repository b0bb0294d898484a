package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// layerNorm are the rows of a layer norm (Ba, Kiros and Hinton 2016) once its
// mean and the inverse of its deviation are known.
func layerNorm(l lanes) {
	l.text("normalize", "func(y, x, gain, bias []float32, mean, inverse float32)", "y = (x − mean)·inverse·gain + bias.")
	l.each(1, func(p *loop, _ int) {
		x, gain := p.load("x"), p.load("gain")
		VSUBPS(p.same("mean"), x, x)
		VMULPS(p.same("inverse"), x, x)
		VFMADD213PS(p.load("bias"), gain, x)
		p.store(x, "y")
	}, "y", "x", "gain", "bias")
	VZEROUPPER()
	RET()

	l.text("normalizeSlope", "func(d, dy, gain, x []float32, a, b, c, mean float32)", "d = a·(dy·gain − c) + b·(x − mean).")
	l.each(1, func(p *loop, _ int) {
		x, dy, a := p.load("x"), p.load("dy"), p.same("a")
		VSUBPS(p.same("mean"), x, x)
		VMULPS(p.same("b"), x, x)
		VMULPS(p.load("gain"), dy, dy)
		VSUBPS(p.same("c"), dy, dy)
		VFMADD231PS(a, dy, x)
		p.store(x, "d")
	}, "d", "dy", "gain", "x")
	VZEROUPPER()
	RET()

	l.text("normalizeGains", "func(dgain, dbias, dy, x []float32, mean, inverse float32)", "dgain += dy·(x − mean)·inverse and dbias += dy.")
	l.each(1, func(p *loop, _ int) {
		x, dy := p.load("x"), p.load("dy")
		VSUBPS(p.same("mean"), x, x)
		VMULPS(p.same("inverse"), x, x)
		gain, bias := p.load("dgain"), p.load("dbias")
		VFMADD231PS(x, dy, gain)
		VADDPS(dy, bias, bias)
		p.store(gain, "dgain")
		p.store(bias, "dbias")
	}, "dgain", "dbias", "dy", "x")
	VZEROUPPER()
	RET()
}
