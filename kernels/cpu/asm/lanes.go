package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is a width of vectors, in bits: what differs between AVX2 and AVX-512.
type lanes struct{ bits int }

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
