// Command asm writes the assembly of package convnet for amd64, with AVX-512 VNNI and with AVX2. It is a module
// of its own, so that avo is no dependency of capgraph.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	channels   = 64
	weightBits = 7
	maxValue   = 127
)

const doc = " adds the products of values, below 128, and rows of weights to sums. rows has, for each four values, four weights a channel."

func main() {
	Constraint(buildtags.Term("amd64"))
	addVNNI()
	addAVX2()
	setResidual()
	Generate()
}

// loadArguments returns the arguments: sums, values and rows.
func loadArguments(name string) (sums, values, rows reg.GPVirtual) {
	TEXT(name, NOSPLIT, "func(sums *int32, values *uint8, rows *int8)")
	Pragma("noescape")
	Doc(name + doc)
	return load("sums"), load("values"), load("rows")
}

func load(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

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

// setResidual shifts 16 sums at a time and packs them with saturation.
func setResidual() {
	TEXT("setResidualAVX2", NOSPLIT, "func(values, before *uint8, sums *int32)")
	Pragma("noescape")
	Doc("setResidualAVX2 sets values to those before and the sums of a layer, rounded to values.")
	values, before, sums := load("values"), load("before"), load("sums")
	half, most := fillWith(1<<(weightBits-1), VPBROADCASTD), fillWith(maxValue, VPBROADCASTB)
	for g := range channels / 16 {
		var x [4]reg.VecVirtual
		for k := range x {
			x[k] = XMM()
			VPADDD(Mem{Base: sums, Disp: 64*g + 16*k}, half, x[k])
			VPSRAD(Imm(weightBits), x[k], x[k])
		}
		VPACKSSDW(x[1], x[0], x[0])
		VPACKSSDW(x[3], x[2], x[2])
		VPACKUSWB(x[2], x[0], x[0])
		VPMINUB(most, x[0], x[0])
		VPADDUSB(Mem{Base: before, Disp: 16 * g}, x[0], x[0])
		VPMINUB(most, x[0], x[0])
		VMOVDQU(x[0], Mem{Base: values, Disp: 16 * g})
	}
	RET()
}

// fillWith returns a vector whose elements are all n.
func fillWith(n uint32, broadcast func(...Op)) reg.VecVirtual {
	r, x := GP32(), XMM()
	MOVL(U32(n), r)
	VMOVD(r, x)
	broadcast(x, x)
	return x
}
