package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the width of vectors that functions are written for, in bits: 256 for AVX2, 512 for
// AVX-512.
type lanes struct {
	bits      int
	constants constants
}

// perVector returns how many numbers a vector has.
func (l lanes) perVector() int { return l.bits / 32 }

func (l lanes) bytes() int { return l.bits / 8 }

// register returns a new register.
func (l lanes) register() VecVirtual {
	if l.bits == 512 {
		return ZMM()
	}
	return YMM()
}

// zeroRegister returns a register of zeros.
func (l lanes) zeroRegister() VecVirtual {
	v := l.register()
	if l.bits == 512 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

// constant returns the address of a constant, repeated for all lanes.
func (l lanes) constant(name string) Mem { return l.constants.address(name) }

// broadcast returns a register with the float parameter of that name in each lane.
func (l lanes) broadcast(param string) VecVirtual {
	p, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	v := l.register()
	VBROADCASTSS(p.Addr, v)
	return v
}

// beginFunction begins a function for this width of vectors.
func (l lanes) beginFunction(name, signature, doc string) {
	name = fmt.Sprintf("%s%d", name, l.bits)
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " is " + doc)
}

// sumLanes writes the sum of all lanes of v and returns the register with it in its first lane.
func (l lanes) sumLanes(v VecVirtual) Register {
	return l.reduceLanes(v, func(a, b Op) { VADDPS(a, b, b) })
}

// reduceLanes combines all lanes of v with f and returns the register with the result in its first
// lane.
func (l lanes) reduceLanes(v VecVirtual, f func(a, b Op)) Register {
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
