package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// elementwise writes a function that sets y to what of says of each vector.
func (l lanes) elementwise(name, signature, doc string, of func(p *loop) VecVirtual, slices ...string) {
	l.text(name, signature, doc)
	l.each(2, func(p *loop, _ int) { p.store(of(p), slices[0]) }, slices...)
	VZEROUPPER()
	RET()
}

// sums are sums and products of rows.
func sums(l lanes) {
	l.elementwise("add", "func(y, x []float32)", "y += x.", func(p *loop) VecVirtual {
		y := p.load("y")
		VADDPS(p.load("x"), y, y)
		return y
	}, "y", "x")
	l.elementwise("addScaled", "func(y, x []float32, a float32)", "y += a·x.", func(p *loop) VecVirtual {
		y, a := p.load("y"), p.same("a")
		VFMADD231PS(p.load("x"), a, y)
		return y
	}, "y", "x")
	l.elementwise("scale", "func(y, x []float32, a float32)", "y = a·x.", func(p *loop) VecVirtual {
		x := p.load("x")
		VMULPS(p.same("a"), x, x)
		return x
	}, "y", "x")
	l.elementwise("subtract", "func(y, x, z []float32)", "y = x − z.", func(p *loop) VecVirtual {
		x := p.load("x")
		VSUBPS(p.load("z"), x, x)
		return x
	}, "y", "x", "z")
	l.elementwise("multiplySum", "func(y, x []float32, a, b float32)", "y = a·y·(x + b).", func(p *loop) VecVirtual {
		y, x := p.load("y"), p.load("x")
		VADDPS(p.same("b"), x, x)
		VMULPS(p.same("a"), y, y)
		VMULPS(x, y, y)
		return y
	}, "y", "x")
}
