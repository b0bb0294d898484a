package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// unroll is the number of columns of A that one iteration of the loop multiplies.
const unroll = 4

// writeTile writes the microkernel of a matrix product, C = A·B or C += A·B, as in BLIS (Van Zee and
// van de Geijn 2015). All of C stays in registers, two vectors wide. A is read a number at a time,
// B a vector at a time. B is packed; A has contiguous rows or contiguous columns.
func writeTile(l lanes, rows bool) {
	height, layout := 6, "Columns"
	if l.bits == 512 {
		height = 12
	}
	if rows {
		layout = "Rows"
	}
	TEXT(fmt.Sprintf("tile%s%d", layout, l.bits), NOSPLIT, "func(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool)")
	Pragma("noescape")
	Doc(fmt.Sprintf("tile%s%d is C[%d, %d] = A·B, or C += A·B, of k products a number.", layout, l.bits, height, 2*l.perVector()))

	c, ldc := Load(Param("c").Base(), GP64()), Load(Param("ldc"), GP64())
	a, lda := Load(Param("a").Base(), GP64()), Load(Param("lda"), GP64())
	b, k := Load(Param("b").Base(), GP64()), Load(Param("k"), GP64())
	SHLQ(U8(2), ldc)
	SHLQ(U8(2), lda)

	// at returns the address of A[i, k]; step advances the pointer by k columns.
	var at func(i, k int) Mem
	var step func(k int)
	if rows {
		lda3 := GP64()
		LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
		quarter := []Register{a}
		for range height/4 + min(height%4, 1) - 1 {
			next := GP64()
			LEAQ(Mem{Base: quarter[len(quarter)-1], Index: lda, Scale: 4}, next)
			quarter = append(quarter, next)
		}
		at = func(i, k int) Mem {
			m := Mem{Base: quarter[i/4], Disp: 4 * k}
			switch i % 4 {
			case 1, 2:
				m.Index, m.Scale = lda, uint8(i%4)
			case 3:
				m.Index, m.Scale = lda3, 1
			}
			return m
		}
		step = func(k int) {
			for _, q := range quarter {
				ADDQ(U32(4*k), q)
			}
		}
	} else {
		at = func(i, k int) Mem { return Mem{Base: a, Disp: 4 * i} }
		step = func(int) {}
	}

	sums := make([][2]VecVirtual, height)
	for i := range sums {
		sums[i] = [2]VecVirtual{l.zeroRegister(), l.zeroRegister()}
	}
	b0, b1, ai := l.register(), l.register(), [2]VecVirtual{l.register(), l.register()}
	products := func(count int) {
		for p := range count {
			VMOVUPS(Mem{Base: b, Disp: p * 2 * l.bytes()}, b0)
			VMOVUPS(Mem{Base: b, Disp: p*2*l.bytes() + l.bytes()}, b1)
			for i := range height {
				VBROADCASTSS(at(i, p), ai[i%2])
				VFMADD231PS(ai[i%2], b0, sums[i][0])
				VFMADD231PS(ai[i%2], b1, sums[i][1])
			}
			if !rows {
				ADDQ(lda, a)
			}
		}
		step(count)
		ADDQ(U32(count*2*l.bytes()), b)
	}

	SUBQ(U32(unroll), k)
	JL(LabelRef("rest"))
	Label("many")
	products(unroll)
	SUBQ(U32(unroll), k)
	JGE(LabelRef("many"))
	Label("rest")
	ADDQ(U32(unroll), k)
	JZ(LabelRef("store"))
	Label("one")
	products(1)
	DECQ(k)
	JNZ(LabelRef("one"))

	Label("store")
	add := Load(Param("add"), GP8())
	TESTB(add, add)
	JZ(LabelRef("set"))
	line := GP64()
	MOVQ(c, line)
	for i := range height {
		VADDPS(Mem{Base: line}, sums[i][0], sums[i][0])
		VADDPS(Mem{Base: line, Disp: l.bytes()}, sums[i][1], sums[i][1])
		if i < height-1 {
			ADDQ(ldc, line)
		}
	}
	Label("set")
	for i := range height {
		VMOVUPS(sums[i][0], Mem{Base: c})
		VMOVUPS(sums[i][1], Mem{Base: c, Disp: l.bytes()})
		if i < height-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}
