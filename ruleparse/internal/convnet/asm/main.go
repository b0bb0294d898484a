// Command asm writes the assembly of package convnet, for AVX-512 VNNI and for AVX2. It is a module
// of its own, so that avo is no dependency of capgraph.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// channels is how many channels a token has.
const channels = 64

const doc = " adds the products of values, below 128, and rows of weights to sums. rows has, for each four values, four weights a channel."

func main() {
	Constraint(buildtags.Term("amd64"))
	addVNNI()
	addAVX2()
	Generate()
}

// loadArguments returns the arguments: sums, values and rows.
func loadArguments(name string) (sums, values, rows reg.GPVirtual) {
	TEXT(name, NOSPLIT, "func(sums *int32, values *uint8, rows *int8)")
	Pragma("noescape")
	Doc(name + doc)
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	return load("sums"), load("values"), load("rows")
}

func addVNNI() {
	sums, values, rows := loadArguments("addProductsVNNI")
	var acc [channels / 16]reg.VecVirtual
	for k := range acc {
		acc[k] = ZMM()
		VMOVDQU32(Mem{Base: sums, Disp: 64 * k}, acc[k])
	}
	for g := range channels / 4 {
		v := ZMM()
		VPBROADCASTD(Mem{Base: values, Disp: 4 * g}, v)
		for k := range acc {
			VPDPBUSD(Mem{Base: rows, Disp: 4*channels*g + 64*k}, v, acc[k])
		}
	}
	for k := range acc {
		VMOVDQU32(acc[k], Mem{Base: sums, Disp: 64 * k})
	}
	VZEROUPPER()
	RET()
}

// addAVX2 multiplies two bytes into each 16 bits, which 2·127·128 does not overflow.
func addAVX2() {
	sums, values, rows := loadArguments("addProductsAVX2")
	var acc [channels / 8]reg.VecVirtual
	for k := range acc {
		acc[k] = YMM()
		VMOVDQU(Mem{Base: sums, Disp: 32 * k}, acc[k])
	}
	ones := YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	for g := range channels / 4 {
		v := YMM()
		VPBROADCASTD(Mem{Base: values, Disp: 4 * g}, v)
		for k := range acc {
			x := YMM()
			VPMADDUBSW(Mem{Base: rows, Disp: 4*channels*g + 32*k}, v, x)
			VPMADDWD(ones, x, x)
			VPADDD(x, acc[k], acc[k])
		}
	}
	for k := range acc {
		VMOVDQU(acc[k], Mem{Base: sums, Disp: 32 * k})
	}
	VZEROUPPER()
	RET()
}
