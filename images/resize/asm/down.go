package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// generateDown generates the pass along columns, 8 pixels at a time in four registers. The last block of 8
// ends with the row and may overlap the one before it.
func generateDown() {
	TEXT("downAVX2", NOSPLIT, "func(dst, rows []byte, factors []int32)")
	Pragma("noescape")
	Doc("downAVX2 sums the rows, each as long as dst, weighted by the factors, into dst. A row is at least 32 bytes, a multiple of 4, long.")
	dst, stride := Load(Param("dst").Base(), GP64()), Load(Param("dst").Len(), GP64())
	rows := Load(Param("rows").Base(), GP64())
	factors, count := Load(Param("factors").Base(), GP64()), Load(Param("factors").Len(), GP64())
	half, order := rounding(), YMM()
	VMOVDQU(pixelOrder(), order)
	x, last := GP64(), GP64()
	XORQ(x, x)
	MOVQ(stride, last)
	SUBQ(U8(32), last)

	Label("block")
	row, factor, n := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: rows, Index: x, Scale: 1}, row)
	MOVQ(factors, factor)
	MOVQ(count, n)
	var sums [4]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VMOVDQA(half, sums[i])
	}
	Label("tap")
	weight := YMM()
	VPBROADCASTD(Mem{Base: factor}, weight)
	for i, sum := range sums {
		pixels := YMM()
		VPMOVZXBD(Mem{Base: row, Disp: 8 * i}, pixels)
		VPMULLD(weight, pixels, pixels)
		VPADDD(pixels, sum, sum)
	}
	ADDQ(stride, row)
	ADDQ(U8(4), factor)
	DECQ(n)
	JNZ(LabelRef("tap"))

	for _, sum := range sums {
		VPSRAD(U8(precision), sum, sum)
	}
	// The pack instructions work within 128-bit halves, so the pixels come in the order 0, 2, 4, 6, 1, 3, 5, 7.
	VPACKSSDW(sums[1], sums[0], sums[0])
	VPACKSSDW(sums[3], sums[2], sums[2])
	VPACKUSWB(sums[2], sums[0], sums[0])
	VPERMD(sums[0], order, sums[0])
	VMOVDQU(sums[0], Mem{Base: dst, Index: x, Scale: 1})

	CMPQ(x, last)
	JGE(LabelRef("done"))
	ADDQ(U8(32), x)
	CMPQ(x, last)
	JLE(LabelRef("block"))
	MOVQ(last, x)
	JMP(LabelRef("block"))

	Label("done")
	VZEROUPPER()
	RET()
}

// rounding returns a register with 0.5 in each channel. Sums begin with it, so that the shift rounds.
func rounding() VecVirtual {
	half := YMM()
	bits := GP32()
	MOVL(U32(1<<(precision-1)), bits)
	VMOVD(bits, half.AsX())
	VPBROADCASTD(half.AsX(), half)
	return half
}

func pixelOrder() Mem {
	order := GLOBL("pixelOrder", RODATA|NOPTR)
	for i, n := range []uint32{0, 4, 1, 5, 2, 6, 3, 7} {
		DATA(4*i, U32(n))
	}
	return order
}
