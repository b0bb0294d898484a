package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// writeLayerNorm writes the functions of layer normalization of a row (Ba, Kiros and Hinton 2016),
// given its mean and the inverse of its standard deviation.
func writeLayerNorm(l lanes) {
	l.beginFunction("normalize", "func(y, x, gain, bias []float32, mean, inverse float32)", "y = (x − mean)·inverse·gain + bias.")
	l.forEachVector(1, func(p *loop, _ int) {
		x, gain := p.load("x"), p.load("gain")
		VSUBPS(p.broadcast("mean"), x, x)
		VMULPS(p.broadcast("inverse"), x, x)
		VFMADD213PS(p.load("bias"), gain, x)
		p.store(x, "y")
	}, "y", "x", "gain", "bias")
	VZEROUPPER()
	RET()

	l.beginFunction("normalizeSlope", "func(d, dy, gain, x []float32, a, b, c, mean float32)", "d = a·(dy·gain − c) + b·(x − mean).")
	l.forEachVector(1, func(p *loop, _ int) {
		x, dy, a := p.load("x"), p.load("dy"), p.broadcast("a")
		VSUBPS(p.broadcast("mean"), x, x)
		VMULPS(p.broadcast("b"), x, x)
		VMULPS(p.load("gain"), dy, dy)
		VSUBPS(p.broadcast("c"), dy, dy)
		VFMADD231PS(a, dy, x)
		p.store(x, "d")
	}, "d", "dy", "gain", "x")
	VZEROUPPER()
	RET()

	l.beginFunction("normalizeGains", "func(dgain, dbias, dy, x []float32, mean, inverse float32)", "dgain += dy·(x − mean)·inverse and dbias += dy.")
	l.forEachVector(1, func(p *loop, _ int) {
		x, dy := p.load("x"), p.load("dy")
		VSUBPS(p.broadcast("mean"), x, x)
		VMULPS(p.broadcast("inverse"), x, x)
		gain, bias := p.load("dgain"), p.load("dbias")
		VFMADD231PS(x, dy, gain)
		VADDPS(dy, bias, bias)
		p.store(gain, "dgain")
		p.store(bias, "dbias")
	}, "dgain", "dbias", "dy", "x")
	VZEROUPPER()
	RET()
}
