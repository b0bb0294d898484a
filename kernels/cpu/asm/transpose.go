package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// writeTranspose writes Transpose, which copies four rows of a matrix as columns, in blocks of four
// by four.
func writeTranspose() {
	TEXT("transpose128", NOSPLIT, "func(to []float32, stride int, from []float32, distance, k int)")
	Pragma("noescape")
	Doc("transpose128 is to[p·stride + j] = from[j·distance + p], of 4 rows j and k columns p.")
	to, stride := Load(Param("to").Base(), GP64()), Load(Param("stride"), GP64())
	from, distance := Load(Param("from").Base(), GP64()), Load(Param("distance"), GP64())
	k := Load(Param("k"), GP64())
	SHLQ(U8(2), stride)
	SHLQ(U8(2), distance)
	distance3 := GP64()
	LEAQ(Mem{Base: distance, Index: distance, Scale: 2}, distance3)
	rows := []Mem{{Base: from}, {Base: from, Index: distance, Scale: 1}, {Base: from, Index: distance, Scale: 2}, {Base: from, Index: distance3, Scale: 1}}

	Label("four")
	SUBQ(U32(4), k)
	JL(LabelRef("rest"))
	a, b, c, d := XMM(), XMM(), XMM(), XMM()
	VMOVUPS(rows[0], a)
	VMOVUPS(rows[1], b)
	VMOVUPS(rows[2], c)
	VMOVUPS(rows[3], d)
	low, high, low2, high2 := XMM(), XMM(), XMM(), XMM()
	VUNPCKLPS(b, a, low)
	VUNPCKHPS(b, a, high)
	VUNPCKLPS(d, c, low2)
	VUNPCKHPS(d, c, high2)
	VSHUFPS(U8(0x44), low2, low, a)
	VSHUFPS(U8(0xee), low2, low, b)
	VSHUFPS(U8(0x44), high2, high, c)
	VSHUFPS(U8(0xee), high2, high, d)
	for _, column := range []Op{a, b, c, d} {
		VMOVUPS(column, Mem{Base: to})
		ADDQ(stride, to)
	}
	ADDQ(U32(16), from)
	JMP(LabelRef("four"))

	Label("rest")
	ADDQ(U32(4), k)
	JZ(LabelRef("done"))
	Label("one")
	x := XMM()
	for j, row := range rows {
		VMOVSS(row, x)
		VMOVSS(x, Mem{Base: to, Disp: 4 * j})
	}
	ADDQ(U32(4), from)
	ADDQ(stride, to)
	DECQ(k)
	JNZ(LabelRef("one"))
	Label("done")
	RET()
}
