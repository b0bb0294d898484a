package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// writeAdamW writes the function of a step of AdamW (Loshchilov and Hutter 2019, alg. 2).
func writeAdamW(l lanes) {
	l.beginFunction("adamw", "func(p, g, m, v []float32, o *[9]float32)", "a step of parameters p by their gradients g, with moments m and v: o is as Steps has it.")
	numbers := Load(Param("o"), GP64())
	o := make([]VecVirtual, 9)
	for i := range o {
		o[i] = l.register()
		VBROADCASTSS(Mem{Base: numbers, Disp: 4 * i}, o[i])
	}
	l.forEachVector(1, func(p *loop, _ int) {
		g, m, v := p.load("g"), p.load("m"), p.load("v")
		VMULPS(o[0], g, g)
		VMULPS(o[1], m, m)
		VFMADD231PS(o[2], g, m)
		p.flushDenormals(m)
		p.store(m, "m")
		VMULPS(o[3], v, v)
		VMULPS(g, g, g)
		VFMADD231PS(o[4], g, v)
		p.flushDenormals(v)
		p.store(v, "v")
		VMULPS(o[7], v, v)
		VSQRTPS(v, v)
		VADDPS(o[8], v, v)
		VMULPS(o[6], m, m)
		VDIVPS(v, m, m)
		parameter := p.load("p")
		VFMSUB132PS(o[5], m, parameter)
		p.store(parameter, "p")
	}, "p", "g", "m", "v")
	VZEROUPPER()
	RET()
}

// flushDenormals sets denormal lanes to 0. Without it, the moments of parameters whose gradient
// stays 0, such as rare words, would become denormal, and arithmetic with them slow.
func (l lanes) flushDenormals(v VecVirtual) {
	size := l.register()
	if l.bits == 512 {
		VPANDND(v, l.signBits(), size)
		normal := K()
		VCMPPS(U8(5), l.constant("normal"), size, normal) // not less
		VMOVAPS_Z(v, normal, v)
	} else {
		VANDNPS(v, l.signBits(), size)
		VCMPPS(U8(5), l.constant("normal"), size, size)
		VANDPS(size, v, v)
	}
}
