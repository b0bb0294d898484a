package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// batchNorm is what columns need that rows do not, and the rectifier behind them.
func batchNorm(l lanes) {
	l.elementwise("addSquares", "func(y, x, mean []float32)", "y += (x − mean)².", func(p *loop) VecVirtual {
		y, x := p.load("y"), p.load("x")
		VSUBPS(p.load("mean"), x, x)
		VFMADD231PS(x, x, y)
		return y
	}, "y", "x", "mean")
	l.elementwise("normalizeColumns", "func(y, x, mean, scale, bias []float32)", "y = (x − mean)·scale + bias.", func(p *loop) VecVirtual {
		x, scale := p.load("x"), p.load("scale")
		VSUBPS(p.load("mean"), x, x)
		VFMADD213PS(p.load("bias"), scale, x)
		return x
	}, "y", "x", "mean", "scale", "bias")
	l.text("columnGains", "func(along, sum, dy, x, mean []float32)", "along += dy·(x − mean) and sum += dy.")
	l.each(2, func(p *loop, _ int) {
		x, dy, along, sum := p.load("x"), p.load("dy"), p.load("along"), p.load("sum")
		VSUBPS(p.load("mean"), x, x)
		VFMADD231PS(x, dy, along)
		VADDPS(dy, sum, sum)
		p.store(along, "along")
		p.store(sum, "sum")
	}, "along", "sum", "dy", "x", "mean")
	VZEROUPPER()
	RET()
	l.elementwise("columnSlope", "func(d, dy, x, mean, along, sum, scale []float32)", "d = scale·(dy − sum − (x − mean)·along).", func(p *loop) VecVirtual {
		x, dy := p.load("x"), p.load("dy")
		VSUBPS(p.load("mean"), x, x)
		VSUBPS(p.load("sum"), dy, dy)
		VFNMADD231PS(p.load("along"), x, dy)
		VMULPS(p.load("scale"), dy, dy)
		return dy
	}, "d", "dy", "x", "mean", "along", "sum", "scale")
	// Of NaN and 0 the first operand is taken. The sum makes 0 of −0.
	l.elementwise("rectify", "func(y []float32)", "y = max(y, 0).", func(p *loop) VecVirtual {
		y, zero := p.load("y"), l.zero()
		VMAXPS(y, zero, y)
		VADDPS(zero, y, y)
		return y
	}, "y")
	// What is above 0 is so as an integer, and 0 less it has a sign.
	l.elementwise("rectifySlope", "func(d, y []float32)", "d = 0 where y is 0; y has nothing below.", func(p *loop) VecVirtual {
		d, y, above := p.load("d"), p.load("y"), l.zero()
		VPSUBD(y, above, above)
		VPSRAD(U8(31), above, above)
		VANDPS(above, d, d)
		return d
	}, "d", "y")
}
