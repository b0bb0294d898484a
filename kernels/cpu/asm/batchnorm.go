package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// writeBatchNorm writes the functions of batch normalization by columns, and the rectifier.
func writeBatchNorm(l lanes) {
	l.writeElementwise("addSquares", "func(y, x, mean []float32)", "y += (x − mean)².", func(p *loop) VecVirtual {
		y, x := p.load("y"), p.load("x")
		VSUBPS(p.load("mean"), x, x)
		VFMADD231PS(x, x, y)
		return y
	}, "y", "x", "mean")
	l.writeElementwise("normalizeColumns", "func(y, x, mean, scale, bias []float32)", "y = (x − mean)·scale + bias.", func(p *loop) VecVirtual {
		x, scale := p.load("x"), p.load("scale")
		VSUBPS(p.load("mean"), x, x)
		VFMADD213PS(p.load("bias"), scale, x)
		return x
	}, "y", "x", "mean", "scale", "bias")
	l.beginFunction("columnGains", "func(along, sum, dy, x, mean []float32)", "along += dy·(x − mean) and sum += dy.")
	l.forEachVector(2, func(p *loop, _ int) {
		x, dy, along, sum := p.load("x"), p.load("dy"), p.load("along"), p.load("sum")
		VSUBPS(p.load("mean"), x, x)
		VFMADD231PS(x, dy, along)
		VADDPS(dy, sum, sum)
		p.store(along, "along")
		p.store(sum, "sum")
	}, "along", "sum", "dy", "x", "mean")
	VZEROUPPER()
	RET()
	l.writeElementwise("columnSlope", "func(d, dy, x, mean, along, sum, scale []float32)", "d = scale·(dy − sum − (x − mean)·along).", func(p *loop) VecVirtual {
		x, dy := p.load("x"), p.load("dy")
		VSUBPS(p.load("mean"), x, x)
		VSUBPS(p.load("sum"), dy, dy)
		VFNMADD231PS(p.load("along"), x, dy)
		VMULPS(p.load("scale"), dy, dy)
		return dy
	}, "d", "dy", "x", "mean", "along", "sum", "scale")
	// If one operand is NaN, VMAXPS returns a fixed one of the two: here y, so that NaN stays NaN.
	// Adding 0 turns −0 into 0.
	l.writeElementwise("rectify", "func(y []float32)", "y = max(y, 0).", func(p *loop) VecVirtual {
		y, zero := p.load("y"), l.zeroRegister()
		VMAXPS(y, zero, y)
		VADDPS(zero, y, y)
		return y
	}, "y")
	// A positive float is positive as an integer too, so 0 minus it has the sign bit set.
	l.writeElementwise("rectifySlope", "func(d, y []float32)", "d = 0 where y is 0; y has nothing below.", func(p *loop) VecVirtual {
		d, y, above := p.load("d"), p.load("y"), l.zeroRegister()
		VPSUBD(y, above, above)
		VPSRAD(U8(31), above, above)
		VANDPS(above, d, d)
		return d
	}, "d", "y")
}
