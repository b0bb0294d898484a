package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// generateAcross generates the pass along rows. A register holds two pixels with 32 bits a channel. If
// width is odd, the last pixel is added alone.
func generateAcross() {
	TEXT("acrossAVX2", NOSPLIT, "func(dst, src []byte, begin, factors []int32, width int)")
	Pragma("noescape")
	Doc("acrossAVX2 sums width pixels of src from each begin on, weighted by the next factors, into the next 4 bytes of dst.")
	dst, src := Load(Param("dst").Base(), GP64()), Load(Param("src").Base(), GP64())
	begin, left := Load(Param("begin").Base(), GP64()), Load(Param("begin").Len(), GP64())
	factor, width := Load(Param("factors").Base(), GP64()), Load(Param("width"), GP64())
	pairs := GP64()
	MOVQ(width, pairs)
	SHRQ(U8(1), pairs)
	ANDQ(U8(1), width)
	half := rounding()

	Label("output")
	TESTQ(left, left)
	JZ(LabelRef("done"))
	at, n, sum := GP64(), GP64(), YMM()
	MOVLQSX(Mem{Base: begin}, at)
	LEAQ(Mem{Base: src, Index: at, Scale: 4}, at)
	VMOVDQA(half.AsX(), sum.AsX()) // the upper half begins with 0, since it is added to the lower
	MOVQ(pairs, n)

	Label("pair")
	TESTQ(n, n)
	JZ(LabelRef("single"))
	first, second, pixels := YMM(), YMM(), YMM()
	VPBROADCASTD(Mem{Base: factor}, first)
	VPBROADCASTD(Mem{Base: factor, Disp: 4}, second)
	VPBLENDD(U8(0xf0), second, first, first)
	VPMOVZXBD(Mem{Base: at}, pixels)
	VPMULLD(first, pixels, pixels)
	VPADDD(pixels, sum, sum)
	ADDQ(U8(8), factor)
	ADDQ(U8(8), at)
	DECQ(n)
	JMP(LabelRef("pair"))

	Label("single")
	upper := XMM()
	VEXTRACTI128(U8(1), sum, upper)
	lower := sum.AsX()
	TESTQ(width, width)
	JZ(LabelRef("store"))
	one, pixel := XMM(), XMM()
	VPBROADCASTD(Mem{Base: factor}, one)
	VPMOVZXBD(Mem{Base: at}, pixel)
	VPMULLD(one, pixel, pixel)
	VPADDD(pixel, lower, lower)
	ADDQ(U8(4), factor)

	Label("store")
	VPADDD(upper, lower, lower)
	VPSRAD(U8(precision), lower, lower)
	VPACKSSDW(lower, lower, lower)
	VPACKUSWB(lower, lower, lower)
	VMOVD(lower, Mem{Base: dst})
	ADDQ(U8(4), dst)
	ADDQ(U8(4), begin)
	DECQ(left)
	JMP(LabelRef("output"))

	Label("done")
	VZEROUPPER()
	RET()
}
