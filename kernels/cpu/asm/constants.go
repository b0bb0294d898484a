package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// constants are numbers in the data section. Each is repeated for all lanes of the widest vector.
type constants struct {
	data   Mem
	offset map[string]int
}

// phi has the coefficients of a polynomial in u = 1/(1 + 0.35·t) that approximates erfc(t/√2)/2 ·
// exp(t²/2) / u for t from 0 to 14, with a relative error of 3.2e-8 (the form of Abramowitz and
// Stegun 7.1.26).
var phi = []float64{0.139621404, 0.13986187, 0.119832868, 0.105508006, -0.0231098421, 0.159174175, -0.255714271, 0.143971708, -0.0291459327}

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
	number("least", -69)
	number("most", 88)
	number("log2e", math.Log2E)
	// ln 2 as a sum of two numbers; the first has few bits (Cody and Waite 1980).
	number("ln2", 0.693359375)
	number("ln2rest", math.Ln2-0.693359375)
	factorial := 1.0
	for k := range 8 {
		factorial *= float64(max(k, 1))
		number("1/"+string(rune('0'+k))+"!", 1/factorial)
	}
	number("1", 1)
	number("1/2", 0.5)
	number("-1/2", -0.5)
	add("-inf", func(int) Constant { return U32(0xff800000) })
	number("0.35", 0.35)
	for k, x := range phi {
		number("phi"+string(rune('0'+k)), x)
	}
	number("normal", 0x1p-126)
	number("1/sqrt2pi", 1/math.Sqrt(2*math.Pi))
	number("1.702", 1.702)
	number("-1.702", -1.702)
	add("sign", func(int) Constant { return U32(1 << 31) })
	add("masks", func(lane int) Constant {
		if lane < 8 {
			return U32(0xffffffff)
		}
		return U32(0)
	})
	return c
}

func (c constants) address(name string) Mem {
	offset, ok := c.offset[name]
	if !ok {
		panic("no constant " + name)
	}
	return c.data.Offset(offset)
}
