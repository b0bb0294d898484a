#include "textflag.h"

// Instructions that Go's assembler does not have. Arguments are numbers of vector registers, the
// destination is last.

// SDOT sum.4S, weights.16B, values.4B[index]
#define SDOT(values, index, weights, sum) \
	WORD $(0x4f80e000 | (index & 1)<<21 | values<<16 | (index>>1)<<11 | weights<<5 | sum)

// SMULL product.8H, weights.8B, values.8B, and SMULL2 of the upper eight
#define SMULL(values, weights, product) WORD $(0x0e20c000 | values<<16 | weights<<5 | product)
#define SMULL2(values, weights, product) WORD $(0x4e20c000 | values<<16 | weights<<5 | product)

// SMLAL product.8H, weights.8B, values.8B, and SMLAL2 of the upper eight
#define SMLAL(values, weights, product) WORD $(0x0e208000 | values<<16 | weights<<5 | product)
#define SMLAL2(values, weights, product) WORD $(0x4e208000 | values<<16 | weights<<5 | product)

// SADALP sum.4S, product.8H
#define SADALP(product, sum) WORD $(0x4e606800 | product<<5 | sum)

// DOTS adds the products of four values of six rows, in V26 to V31, and the weights of four outputs.
#define DOTS(index, weights, s0, s1, s2, s3, s4, s5) \
	SDOT(26, index, weights, s0) \
	SDOT(27, index, weights, s1) \
	SDOT(28, index, weights, s2) \
	SDOT(29, index, weights, s3) \
	SDOT(30, index, weights, s4) \
	SDOT(31, index, weights, s5)

// DOTS_16 does so for 16 outputs.
#define DOTS_16(index) \
	FMOVQ (256*index)(R9), F24              \
	FMOVQ (256*index+16)(R9), F25           \
	DOTS(index, 24, 0, 4, 8, 12, 16, 20)    \
	FMOVQ (256*index+32)(R9), F24           \
	DOTS(index, 25, 1, 5, 9, 13, 17, 21)    \
	FMOVQ (256*index+48)(R9), F25           \
	DOTS(index, 24, 2, 6, 10, 14, 18, 22)   \
	DOTS(index, 25, 3, 7, 11, 15, 19, 23)

// COPY copies the start of the sums to a row.
#define COPY(s0, s1, s2, s3) \
	VMOV V0.B16, s0.B16 \
	VMOV V1.B16, s1.B16 \
	VMOV V2.B16, s2.B16 \
	VMOV V3.B16, s3.B16

// func productsSDOT(sums, start []int32, q, weights []int8, rows, inputs int)
TEXT ·productsSDOT(SB), NOSPLIT, $0-112
	MOVD sums_base+0(FP), R0
	MOVD q_base+48(FP), R1
	MOVD rows+96(FP), R10
	MOVD inputs+104(FP), R11

rows: // 6 at a time
	MOVD start_base+24(FP), R12
	MOVD weights_base+72(FP), R13
	MOVD $4, R14

outputs: // 16 at a time
	VLD1.P 64(R12), [V0.S4, V1.S4, V2.S4, V3.S4]
	COPY(V4, V5, V6, V7)
	COPY(V8, V9, V10, V11)
	COPY(V12, V13, V14, V15)
	COPY(V16, V17, V18, V19)
	COPY(V20, V21, V22, V23)
	MOVD R1, R3
	ADD  R11, R3, R4
	ADD  R11, R4, R5
	ADD  R11, R5, R6
	ADD  R11, R6, R7
	ADD  R11, R7, R8
	MOVD R13, R9
	MOVD R11, R15

inputs: // 16 at a time
	FMOVQ.P 16(R3), F26
	FMOVQ.P 16(R4), F27
	FMOVQ.P 16(R5), F28
	FMOVQ.P 16(R6), F29
	FMOVQ.P 16(R7), F30
	FMOVQ.P 16(R8), F31
	DOTS_16(0)
	DOTS_16(1)
	DOTS_16(2)
	DOTS_16(3)
	ADD     $1024, R9
	SUBS    $16, R15
	BNE     inputs

	MOVD R0, R2
	MOVD $256, R16
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R2)
	ADD  R16, R2
	VST1 [V4.S4, V5.S4, V6.S4, V7.S4], (R2)
	ADD  R16, R2
	VST1 [V8.S4, V9.S4, V10.S4, V11.S4], (R2)
	ADD  R16, R2
	VST1 [V12.S4, V13.S4, V14.S4, V15.S4], (R2)
	ADD  R16, R2
	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R2)
	ADD  R16, R2
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R2)
	ADD  $64, R0
	ADD  $64, R13
	SUBS $1, R14
	BNE  outputs

	MOVD R8, R1
	ADD  $1280, R0
	SUBS $6, R10
	BGT  rows
	RET

// PRODUCTS_8 adds the products of eight values of a row, a and b, and the weights of four outputs
// to two sums, each of every second product of two outputs. 16 bits hold the sum of two products,
// which is at most 2·127·127.
#define PRODUCTS_8(a, b, w0, w1, s0, s1) \
	SMULL(a, w0, 28)  \
	SMULL2(a, w0, 29) \
	SMLAL(b, w1, 28)  \
	SMLAL2(b, w1, 29) \
	SADALP(28, s0)    \
	SADALP(29, s1)

// ZERO sets four sums to zero.
#define ZERO(s0, s1, s2, s3) \
	VEOR s0.B16, s0.B16, s0.B16 \
	VEOR s1.B16, s1.B16, s1.B16 \
	VEOR s2.B16, s2.B16, s2.B16 \
	VEOR s3.B16, s3.B16, s3.B16

// func productsSMULL(sums, start []int32, q, weights []int8, rows, inputs int)
TEXT ·productsSMULL(SB), NOSPLIT, $0-112
	MOVD sums_base+0(FP), R0
	MOVD q_base+48(FP), R1
	MOVD rows+96(FP), R10
	MOVD inputs+104(FP), R11

rows: // 2 at a time
	MOVD start_base+24(FP), R12
	MOVD weights_base+72(FP), R13
	MOVD $4, R14

outputs: // 16 at a time
	ZERO(V0, V1, V2, V3)
	ZERO(V4, V5, V6, V7)
	ZERO(V8, V9, V10, V11)
	ZERO(V12, V13, V14, V15)
	MOVD R1, R3
	ADD  R11, R3, R4
	MOVD R13, R9
	ADD  $256, R13, R8
	MOVD R11, R15

inputs: // 8 at a time
	VLD1R.P 4(R3), [V24.S4]
	VLD1R.P 4(R3), [V25.S4]
	VLD1R.P 4(R4), [V26.S4]
	VLD1R.P 4(R4), [V27.S4]
	VLD1    (R9), [V16.B16, V17.B16, V18.B16, V19.B16]
	VLD1    (R8), [V20.B16, V21.B16, V22.B16, V23.B16]
	PRODUCTS_8(24, 25, 16, 20, 0, 1)
	PRODUCTS_8(24, 25, 17, 21, 2, 3)
	PRODUCTS_8(24, 25, 18, 22, 4, 5)
	PRODUCTS_8(24, 25, 19, 23, 6, 7)
	PRODUCTS_8(26, 27, 16, 20, 8, 9)
	PRODUCTS_8(26, 27, 17, 21, 10, 11)
	PRODUCTS_8(26, 27, 18, 22, 12, 13)
	PRODUCTS_8(26, 27, 19, 23, 14, 15)
	ADD     $512, R9
	ADD     $512, R8
	SUBS    $8, R15
	BNE     inputs

	VLD1.P 64(R12), [V16.S4, V17.S4, V18.S4, V19.S4]
	VADDP  V1.S4, V0.S4, V0.S4
	VADDP  V3.S4, V2.S4, V1.S4
	VADDP  V5.S4, V4.S4, V2.S4
	VADDP  V7.S4, V6.S4, V3.S4
	VADDP  V9.S4, V8.S4, V4.S4
	VADDP  V11.S4, V10.S4, V5.S4
	VADDP  V13.S4, V12.S4, V6.S4
	VADDP  V15.S4, V14.S4, V7.S4
	VADD   V16.S4, V0.S4, V0.S4
	VADD   V17.S4, V1.S4, V1.S4
	VADD   V18.S4, V2.S4, V2.S4
	VADD   V19.S4, V3.S4, V3.S4
	VADD   V16.S4, V4.S4, V4.S4
	VADD   V17.S4, V5.S4, V5.S4
	VADD   V18.S4, V6.S4, V6.S4
	VADD   V19.S4, V7.S4, V7.S4
	ADD    $256, R0, R2
	VST1   [V4.S4, V5.S4, V6.S4, V7.S4], (R2)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	ADD    $64, R13
	SUBS   $1, R14
	BNE    outputs

	MOVD R4, R1
	ADD  $256, R0
	SUBS $2, R10
	BGT  rows
	RET
