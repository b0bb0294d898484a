package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const productsSignature = "func(sums, start []int32, q, weights []int8, rows, inputs int)"

// writeProductsVNNI writes products for AVX-512 VNNI: 6 rows at once, with all columns in
// registers.
func writeProductsVNNI() {
	const rows, vectors = 6, columns / 16
	TEXT("productsVNNI", NOSPLIT, productsSignature)
	Pragma("noescape")
	Doc("productsVNNI is a kernel. It takes q as uint8.")
	sums, start, q, weights := slice("sums"), slice("start"), slice("q"), slice("weights")
	n, inputs := integer("rows"), integer("inputs")
	lower, w, groups := GP64(), GP64(), GP64()
	Label("rows")
	var acc [rows][vectors]VecVirtual
	for r := range rows {
		for c := range vectors {
			acc[r][c] = ZMM()
			VMOVDQU32(Mem{Base: start, Disp: 64 * c}, acc[r][c])
		}
	}
	LEAQ(Mem{Base: q, Index: inputs, Scale: 2}, lower)
	ADDQ(inputs, lower)
	MOVQ(weights, w)
	MOVQ(inputs, groups)
	Label("groups")
	const unroll = 4
	for u := range unroll {
		var v [vectors]VecVirtual
		for c := range v {
			v[c] = ZMM()
			VMOVDQU32(Mem{Base: w, Disp: 4*columns*u + 64*c}, v[c])
		}
		for r := range rows {
			a := ZMM()
			VPBROADCASTD(rowAddress(q, lower, inputs, r, 3, 4*u), a)
			for c := range v {
				VPDPBUSD(v[c], a, acc[r][c])
			}
		}
	}
	ADDQ(U32(4*unroll), q)
	ADDQ(U32(4*unroll), lower)
	ADDQ(U32(4*columns*unroll), w)
	SUBQ(U32(4*unroll), groups)
	JNZ(LabelRef("groups"))
	for r := range rows {
		for c := range vectors {
			VMOVDQU32(acc[r][c], Mem{Base: sums, Disp: 4*columns*r + 64*c})
		}
	}
	LEAQ(Mem{Base: lower, Index: inputs, Scale: 2}, q) // lower points to the end of the fourth row
	ADDQ(U32(4*columns*rows), sums)
	SUBQ(U32(rows), n)
	JG(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// rowAddress returns the address of byte disp of row r, where lower points to row lowerRow and q to
// row 0.
func rowAddress(q, lower, inputs Register, r, lowerRow, disp int) Mem {
	m := Mem{Base: q, Disp: disp}
	if r >= lowerRow {
		m.Base, r = lower, r-lowerRow
	}
	if r > 0 {
		m.Index, m.Scale = inputs, uint8(r)
	}
	return m
}

// writeProductsAVX2 writes products for AVX2: 3 rows and 16 columns at once. The instruction needs
// one unsigned factor: it multiplies the absolute weights by the values with the signs of the
// weights. Two products of at most 127·127 fit 16 bits.
func writeProductsAVX2() {
	const rows, vectors = 3, 2
	TEXT("productsAVX2", NOSPLIT, productsSignature)
	Pragma("noescape")
	Doc("productsAVX2 is a kernel.")
	sums, q := slice("sums"), slice("q")
	inputs, n := integer("inputs"), integer("rows")
	w, groups, column := GP64(), GP64(), GP64()
	ones := YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	Label("rows")
	XORQ(column, column)
	Label("columns")
	start, weights := slice("start"), slice("weights")
	var acc [rows][vectors]VecVirtual
	for r := range rows {
		for c := range vectors {
			acc[r][c] = YMM()
			VMOVDQU(Mem{Base: start, Index: column, Scale: 4, Disp: 32 * c}, acc[r][c])
		}
	}
	LEAQ(Mem{Base: weights, Index: column, Scale: 4}, w)
	MOVQ(inputs, groups)
	Label("groups")
	const unroll = 2
	for u := range unroll {
		var v, size [vectors]VecVirtual
		for c := range v {
			v[c], size[c] = YMM(), YMM()
			VMOVDQU(Mem{Base: w, Disp: 4*columns*u + 32*c}, v[c])
			VPABSB(v[c], size[c])
		}
		for r := range rows {
			a := YMM()
			VPBROADCASTD(rowAddress(q, nil, inputs, r, rows, 4*u), a)
			for c := range v {
				x := YMM()
				VPSIGNB(v[c], a, x)
				VPMADDUBSW(x, size[c], x)
				VPMADDWD(ones, x, x)
				VPADDD(x, acc[r][c], acc[r][c])
			}
		}
	}
	ADDQ(U32(4*unroll), q)
	ADDQ(U32(4*columns*unroll), w)
	SUBQ(U32(4*unroll), groups)
	JNZ(LabelRef("groups"))
	SUBQ(inputs, q)
	for r := range rows {
		for c := range vectors {
			VMOVDQU(acc[r][c], Mem{Base: sums, Index: column, Scale: 4, Disp: 4*columns*r + 32*c})
		}
	}
	ADDQ(U32(8*vectors), column)
	CMPQ(column, U32(columns))
	JLT(LabelRef("columns"))
	LEAQ(Mem{Base: q, Index: inputs, Scale: 2}, q)
	ADDQ(inputs, q)
	ADDQ(U32(4*columns*rows), sums)
	SUBQ(U32(rows), n)
	JG(LabelRef("rows"))
	VZEROUPPER()
	RET()
}
