package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is a vector size in bits: 256 for AVX2, 512 for AVX-512.
type lanes struct {
	bits      int
	constants constants
}

func (l lanes) bytes() int { return l.bits / 8 }

// vectors returns how many vectors hold n numbers.
func (l lanes) vectors(n int) int { return 4 * n / l.bytes() }

// at returns the address of the k-th vector from pointer p.
func (l lanes) at(p Register, k int) Mem { return Mem{Base: p, Disp: k * l.bytes()} }

// register returns a new register.
func (l lanes) register() VecVirtual {
	if l.bits == 512 {
		return ZMM()
	}
	return YMM()
}

func (l lanes) registers(n int) []VecVirtual {
	out := make([]VecVirtual, n)
	for i := range out {
		out[i] = l.register()
	}
	return out
}

// setZero sets a register to zeros.
func (l lanes) setZero(v VecVirtual) {
	if l.bits == 512 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
}

// begin begins a function for this vector size.
func (l lanes) begin(name, signature string) {
	name = fmt.Sprintf("%s%d", name, l.bits)
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " is a kernel.")
}

func slice(name string) GPVirtual { return Load(Param(name).Base(), GP64()).(GPVirtual) }

func integer(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// broadcast returns a register with the parameter param in each lane.
func (l lanes) broadcast(param string) VecVirtual {
	p, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	v := l.register()
	VBROADCASTSS(p.Addr, v)
	return v
}

// reduce combines all lanes of v into the first with f: lane l with l+8, then with l+4, l+2 and
// l+1.
func (l lanes) reduce(v VecVirtual, f func(a, b Op)) Register {
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

// constants are numbers in memory, each repeated for all lanes of the widest vector.
type constants struct {
	data   Mem
	offset map[string]int
}

// normalSeries equals the constant of package encoder.
var normalSeries = []float64{4.9239725782839386e-11, -4.795767360786895e-09, 2.0725126977277365e-07, -5.289632666674874e-06, 8.983669366927451e-05, -0.001086463912323, 0.009740958344982165, -0.06622211071559402, 0.39883460177286273}

var expSeries = []float64{1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1}

// writeConstants writes the constants into the data section.
func writeConstants() constants {
	c := constants{GLOBL("constants", NOPTR|RODATA), map[string]int{}}
	size := 0
	add := func(name string, of func(lane int) Constant) {
		c.offset[name] = size
		for lane := range 16 {
			DATA(size, of(lane))
			size += 4
		}
	}
	number := func(name string, x float64) { add(name, func(int) Constant { return F32(x) }) }
	number("least", -87)
	number("log2e", math.Log2E)
	number("ln2", 0.693359375)
	number("ln2rest", math.Ln2-0.693359375)
	for k, x := range expSeries {
		number(fmt.Sprint("exp", k), x)
	}
	for k, x := range normalSeries {
		number(fmt.Sprint("normal", k), x)
	}
	number("most", 4.2)
	number("-most", -4.2)
	number("1/2", 0.5)
	number("1", 1)
	number("width", width)
	number("epsilon", 1e-12)
	add("size", func(int) Constant { return U32(1<<31 - 1) })
	add("128", func(int) Constant { return U32(128) })
	add("order", func(lane int) Constant { return U32([...]uint32{0, 4, 1, 5, 2, 6, 3, 7}[lane%8]) })
	add("heads", func(lane int) Constant {
		if lane < heads {
			return U32(1<<32 - 1)
		}
		return U32(0)
	})
	for k := range 3 {
		add(fmt.Sprint("pattern", k), func(lane int) Constant { return U32((16*k + lane) % heads) })
	}
	return c
}

// constant returns the address of a constant that is repeated for all lanes.
func (l lanes) constant(name string) Mem {
	offset, ok := l.constants.offset[name]
	if !ok {
		panic("no constant " + name)
	}
	return l.constants.data.Offset(offset)
}
