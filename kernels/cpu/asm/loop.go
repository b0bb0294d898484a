package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// loop is a pass over slices of equal length, a vector at a time.
type loop struct {
	lanes
	pointers map[string]GPVirtual
	mask     VecVirtual // of AVX2: which lanes of the last vector there are
	k        OpmaskVirtual
	at       int // bytes from the pointers
	part     bool
}

// each writes a loop over the slices of the parameters, which are as long as the
// first. body is written three times: for several vectors at once, where unroll
// says so and with u the number of the vector, for one, and for the last, of
// which a part is beyond the end.
func (l lanes) each(unroll int, body func(p *loop, u int), slices ...string) {
	p := &loop{lanes: l, pointers: map[string]GPVirtual{}}
	n := Load(Param(slices[0]).Len(), GP64()).(GPVirtual)
	for _, s := range slices {
		p.pointers[s] = Load(Param(s).Base(), GP64()).(GPVirtual)
	}
	pass := func(label, next string, count int) {
		size := U32(count * l.n())
		Label(label)
		SUBQ(size, n)
		JL(LabelRef(next))
		for u := range count {
			p.at = u * l.bytes()
			body(p, u)
		}
		for _, s := range slices {
			ADDQ(U32(count*l.bytes()), p.pointers[s])
		}
		JMP(LabelRef(label))
		Label(next)
		ADDQ(size, n)
	}
	if unroll > 1 {
		pass("many", "few", unroll)
	}
	pass("one", "rest", 1)
	JZ(LabelRef("done"))
	p.at, p.part = 0, true
	if l.bits == 512 {
		ones := GP32()
		MOVL(U32(0xffffffff), ones)
		BZHIL(n.As32(), ones, ones)
		p.k = K()
		KMOVW(ones, p.k)
	} else {
		// The masks are eight ones, then eight zeros: n ones are n before the zeros.
		at := GP64()
		LEAQ(l.c("masks"), at)
		NEGQ(n)
		p.mask = YMM()
		VMOVUPS(Mem{Base: at, Index: n, Scale: 4, Disp: 32}, p.mask)
	}
	body(p, 0)
	Label("done")
}

// load reads the vector of a slice; lanes beyond the end are 0.
func (p *loop) load(slice string) VecVirtual {
	v, m := p.vec(), Mem{Base: p.pointers[slice], Disp: p.at}
	switch {
	case !p.part:
		VMOVUPS(m, v)
	case p.bits == 512:
		VMOVUPS_Z(m, p.k, v)
	default:
		VMASKMOVPS(m, p.mask, v)
	}
	return v
}

// store writes the vector of a slice, up to its end.
func (p *loop) store(v VecVirtual, slice string) {
	m := Mem{Base: p.pointers[slice], Disp: p.at}
	switch {
	case !p.part:
		VMOVUPS(v, m)
	case p.bits == 512:
		VMOVUPS(v, p.k, m)
	default:
		VMASKMOVPS(v, p.mask, m)
	}
}

// keep makes the lanes of v that are beyond the end 0.
func (p *loop) keep(v VecVirtual) {
	switch {
	case !p.part:
	case p.bits == 512:
		VMOVAPS_Z(v, p.k, v)
	default:
		VANDPS(p.mask, v, v)
	}
}

// keepOr makes the lanes of v that are beyond the end those of another.
func (p *loop) keepOr(v, other VecVirtual) {
	switch {
	case !p.part:
	case p.bits == 512:
		VBLENDMPS(v, other, p.k, v)
	default:
		VBLENDVPS(p.mask, v, other, v)
	}
}
