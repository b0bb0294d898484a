package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is a width of vectors, in bits: what differs between AVX2 and AVX-512.
type lanes struct {
	bits      int
	constants constants
}

// n is how many numbers a vector has.
func (l lanes) n() int { return l.bits / 32 }

func (l lanes) bytes() int { return l.bits / 8 }

// vec is a register.
func (l lanes) vec() VecVirtual {
	if l.bits == 512 {
		return ZMM()
	}
	return YMM()
}

// zero is a register of zeros.
func (l lanes) zero() VecVirtual {
	v := l.vec()
	if l.bits == 512 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

// c is a constant, in memory, as many times as a vector has numbers.
func (l lanes) c(name string) Mem { return l.constants.at(name) }

// same is a register that holds a parameter in each lane.
func (l lanes) same(param string) VecVirtual {
	p, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	v := l.vec()
	VBROADCASTSS(p.Addr, v)
	return v
}

// text begins a function of this width.
func (l lanes) text(name, signature, doc string) {
	name = fmt.Sprintf("%s%d", name, l.bits)
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " is " + doc)
}

// sumLanes leaves the sum of all lanes of v in the first.
func (l lanes) sumLanes(v VecVirtual) Register {
	return l.fold(v, func(a, b Op) { VADDPS(a, b, b) })
}

// fold combines all lanes of v into the first.
func (l lanes) fold(v VecVirtual, f func(a, b Op)) Register {
	if l.bits == 512 {
		half := YMM()
		VEXTRACTF64X4(U8(1), v, half)
		f(half, v.AsY())
	}
	half := XMM()
	VEXTRACTF128(U8(1), v.AsY(), half)
	x := v.AsX()
	f(half, x)
	for _, order := range []uint8{0b1110, 0b01} {
		VPERMILPS(U8(order), x, half)
		f(half, x)
	}
	return x
}
