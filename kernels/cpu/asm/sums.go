package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// writeElementwise writes a function that sets the first slice to the result of compute, vector by
// vector.
func (l lanes) writeElementwise(name, signature, doc string, compute func(p *loop) VecVirtual, slices ...string) {
	l.beginFunction(name, signature, doc)
	l.forEachVector(2, func(p *loop, _ int) { p.store(compute(p), slices[0]) }, slices...)
	VZEROUPPER()
	RET()
}

// writeSums writes sums and products of rows.
func writeSums(l lanes) {
	l.writeElementwise("add", "func(y, x []float32)", "y += x.", func(p *loop) VecVirtual {
		y := p.load("y")
		VADDPS(p.load("x"), y, y)
		return y
	}, "y", "x")
	l.writeElementwise("addScaled", "func(y, x []float32, a float32)", "y += a·x.", func(p *loop) VecVirtual {
		y, a := p.load("y"), p.broadcast("a")
		VFMADD231PS(p.load("x"), a, y)
		return y
	}, "y", "x")
	l.writeElementwise("scale", "func(y, x []float32, a float32)", "y = a·x.", func(p *loop) VecVirtual {
		x := p.load("x")
		VMULPS(p.broadcast("a"), x, x)
		return x
	}, "y", "x")
	l.writeElementwise("subtract", "func(y, x, z []float32)", "y = x − z.", func(p *loop) VecVirtual {
		x := p.load("x")
		VSUBPS(p.load("z"), x, x)
		return x
	}, "y", "x", "z")
	l.writeElementwise("multiplySum", "func(y, x []float32, a, b float32)", "y = a·y·(x + b).", func(p *loop) VecVirtual {
		y, x := p.load("y"), p.load("x")
		VADDPS(p.broadcast("b"), x, x)
		VMULPS(p.broadcast("a"), y, y)
		VMULPS(x, y, y)
		return y
	}, "y", "x")
}
