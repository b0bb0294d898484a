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
	mask     VecVirtual // for AVX2: the lanes of the last vector that are within the slices
	k        OpmaskVirtual
	offset   int // bytes from the pointers
	isTail   bool
}

// forEachVector writes a loop over slices of the same length, given by the names of their
// parameters. body writes the code for one vector. It is called for whole vectors, and once more
// for the last one, which may be incomplete. If unroll is above 1, the loop also has a version for
// that many vectors at once, with u from 0.
func (l lanes) forEachVector(unroll int, body func(p *loop, u int), slices ...string) {
	p := &loop{lanes: l, pointers: map[string]GPVirtual{}}
	n := Load(Param(slices[0]).Len(), GP64()).(GPVirtual)
	for _, s := range slices {
		p.pointers[s] = Load(Param(s).Base(), GP64()).(GPVirtual)
	}
	pass := func(label, next string, count int) {
		size := U32(count * l.perVector())
		Label(label)
		SUBQ(size, n)
		JL(LabelRef(next))
		for u := range count {
			p.offset = u * l.bytes()
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
	p.offset, p.isTail = 0, true
	if l.bits == 512 {
		ones := GP32()
		MOVL(U32(0xffffffff), ones)
		BZHIL(n.As32(), ones, ones)
		p.k = K()
		KMOVW(ones, p.k)
	} else {
		// The constant has eight ones, then eight zeros: a mask of n ones begins n before the
		// zeros.
		at := GP64()
		LEAQ(l.constant("masks"), at)
		NEGQ(n)
		p.mask = YMM()
		VMOVUPS(Mem{Base: at, Index: n, Scale: 4, Disp: 32}, p.mask)
	}
	body(p, 0)
	Label("done")
}

// load reads a vector of a slice. Lanes beyond the end are 0.
func (p *loop) load(slice string) VecVirtual {
	v, m := p.register(), Mem{Base: p.pointers[slice], Disp: p.offset}
	switch {
	case !p.isTail:
		VMOVUPS(m, v)
	case p.bits == 512:
		VMOVUPS_Z(m, p.k, v)
	default:
		VMASKMOVPS(m, p.mask, v)
	}
	return v
}

// store writes a vector to a slice, up to its end.
func (p *loop) store(v VecVirtual, slice string) {
	m := Mem{Base: p.pointers[slice], Disp: p.offset}
	switch {
	case !p.isTail:
		VMOVUPS(v, m)
	case p.bits == 512:
		VMOVUPS(v, p.k, m)
	default:
		VMASKMOVPS(v, p.mask, m)
	}
}

// zeroTail sets the lanes of v beyond the end to 0.
func (p *loop) zeroTail(v VecVirtual) {
	switch {
	case !p.isTail:
	case p.bits == 512:
		VMOVAPS_Z(v, p.k, v)
	default:
		VANDPS(p.mask, v, v)
	}
}

// blendTail sets the lanes of v beyond the end to the lanes of other.
func (p *loop) blendTail(v, other VecVirtual) {
	switch {
	case !p.isTail:
	case p.bits == 512:
		VBLENDMPS(v, other, p.k, v)
	default:
		VBLENDVPS(p.mask, v, other, v)
	}
}
