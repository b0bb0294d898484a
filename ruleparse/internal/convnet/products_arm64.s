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

// ADD_DOTS_16 adds the products of four values and their weights to the sums of 16 channels.
#define ADD_DOTS_16(values, index, s0, s1, s2, s3) \
	VLD1.P 64(R2), [V20.B16, V21.B16, V22.B16, V23.B16] \
	SDOT(values, index, 20, s0)                         \
	SDOT(values, index, 21, s1)                         \
	SDOT(values, index, 22, s2)                         \
	SDOT(values, index, 23, s3)

// ADD_DOTS does so for all channels.
#define ADD_DOTS(values, index) \
	ADD_DOTS_16(values, index, 0, 1, 2, 3)   \
	ADD_DOTS_16(values, index, 4, 5, 6, 7)   \
	ADD_DOTS_16(values, index, 8, 9, 10, 11) \
	ADD_DOTS_16(values, index, 12, 13, 14, 15)

// func addProductsSDOT(sums *int32, values *uint8, rows *int8)
TEXT ·addProductsSDOT(SB), NOSPLIT, $0-24
	MOVD   sums+0(FP), R0
	MOVD   values+8(FP), R1
	MOVD   rows+16(FP), R2
	MOVD   R0, R3
	VLD1.P 64(R3), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R3), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1.P 64(R3), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1   (R3), [V12.S4, V13.S4, V14.S4, V15.S4]
	VLD1   (R1), [V16.B16, V17.B16, V18.B16, V19.B16]
	ADD_DOTS(16, 0)
	ADD_DOTS(16, 1)
	ADD_DOTS(16, 2)
	ADD_DOTS(16, 3)
	ADD_DOTS(17, 0)
	ADD_DOTS(17, 1)
	ADD_DOTS(17, 2)
	ADD_DOTS(17, 3)
	ADD_DOTS(18, 0)
	ADD_DOTS(18, 1)
	ADD_DOTS(18, 2)
	ADD_DOTS(18, 3)
	ADD_DOTS(19, 0)
	ADD_DOTS(19, 1)
	ADD_DOTS(19, 2)
	ADD_DOTS(19, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R0)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R0)
	VST1   [V12.S4, V13.S4, V14.S4, V15.S4], (R0)
	RET

// ADD_PRODUCTS_8 adds the products of eight values, four in V24 and four in V25, and their weights, a
// and b, to four sums, each of every second product of two channels. 16 bits hold the sum of two
// products, which is at most 2·127·128.
#define ADD_PRODUCTS_8(a0, a1, b0, b1, s0, s1, s2, s3) \
	SMULL(24, a0, 26)  \
	SMULL2(24, a0, 27) \
	SMULL(24, a1, 28)  \
	SMULL2(24, a1, 29) \
	SMLAL(25, b0, 26)  \
	SMLAL2(25, b0, 27) \
	SMLAL(25, b1, 28)  \
	SMLAL2(25, b1, 29) \
	SADALP(26, s0)     \
	SADALP(27, s1)     \
	SADALP(28, s2)     \
	SADALP(29, s3)

// func addProductsSMULL(sums *int32, values *uint8, rows *int8)
TEXT ·addProductsSMULL(SB), NOSPLIT, $0-24
	MOVD sums+0(FP), R0
	MOVD rows+16(FP), R2
	MOVD $2, R3

channels: // 32 at a time
	MOVD values+8(FP), R1
	MOVD R2, R4
	ADD  $256, R2, R5
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	MOVD $8, R6

values: // 8 at a time
	VLD1R.P 4(R1), [V24.S4]
	VLD1R.P 4(R1), [V25.S4]
	VLD1.P  64(R4), [V16.B16, V17.B16, V18.B16, V19.B16]
	VLD1.P  64(R5), [V20.B16, V21.B16, V22.B16, V23.B16]
	ADD_PRODUCTS_8(16, 17, 20, 21, 0, 1, 2, 3)
	ADD_PRODUCTS_8(18, 19, 22, 23, 4, 5, 6, 7)
	VLD1.P  64(R4), [V16.B16, V17.B16, V18.B16, V19.B16]
	VLD1.P  64(R5), [V20.B16, V21.B16, V22.B16, V23.B16]
	ADD_PRODUCTS_8(16, 17, 20, 21, 8, 9, 10, 11)
	ADD_PRODUCTS_8(18, 19, 22, 23, 12, 13, 14, 15)
	ADD     $384, R4
	ADD     $384, R5
	SUBS    $1, R6
	BNE     values

	MOVD   R0, R1
	VLD1.P 64(R1), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1   (R1), [V20.S4, V21.S4, V22.S4, V23.S4]
	VADDP  V1.S4, V0.S4, V0.S4
	VADDP  V3.S4, V2.S4, V2.S4
	VADDP  V5.S4, V4.S4, V4.S4
	VADDP  V7.S4, V6.S4, V6.S4
	VADDP  V9.S4, V8.S4, V8.S4
	VADDP  V11.S4, V10.S4, V10.S4
	VADDP  V13.S4, V12.S4, V12.S4
	VADDP  V15.S4, V14.S4, V14.S4
	VADD   V0.S4, V16.S4, V16.S4
	VADD   V2.S4, V17.S4, V17.S4
	VADD   V4.S4, V18.S4, V18.S4
	VADD   V6.S4, V19.S4, V19.S4
	VADD   V8.S4, V20.S4, V20.S4
	VADD   V10.S4, V21.S4, V21.S4
	VADD   V12.S4, V22.S4, V22.S4
	VADD   V14.S4, V23.S4, V23.S4
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	ADD    $128, R2
	SUBS   $1, R3
	BNE    channels
	RET

// SQSHRUN values.4H, sums.4S, #7, and SQSHRUN2 into the upper four
#define SQSHRUN_7(sums, values) WORD $(0x2f198400 | sums<<5 | values)
#define SQSHRUN2_7(sums, values) WORD $(0x6f198400 | sums<<5 | values)

// UQXTN bytes.8B, values.8H, and UQXTN2 into the upper eight
#define UQXTN(values, bytes) WORD $(0x2e214800 | values<<5 | bytes)
#define UQXTN2(values, bytes) WORD $(0x6e214800 | values<<5 | bytes)

// SET_16 sets 16 values. V5 has the rounding of sums, V6 the largest value.
#define SET_16 \
	VLD1.P 64(R2), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VLD1.P 16(R1), [V4.B16]                     \
	VADD   V5.S4, V0.S4, V0.S4                  \
	VADD   V5.S4, V1.S4, V1.S4                  \
	VADD   V5.S4, V2.S4, V2.S4                  \
	VADD   V5.S4, V3.S4, V3.S4                  \
	SQSHRUN_7(0, 0)                             \
	SQSHRUN2_7(1, 0)                            \
	SQSHRUN_7(2, 2)                             \
	SQSHRUN2_7(3, 2)                            \
	UQXTN(0, 0)                                 \
	UQXTN2(2, 0)                                \
	VUMIN  V6.B16, V0.B16, V0.B16               \
	VADD   V4.B16, V0.B16, V0.B16               \
	VUMIN  V6.B16, V0.B16, V0.B16               \
	VST1.P [V0.B16], 16(R0)

// func setResidualNEON(values, before *uint8, sums *int32)
TEXT ·setResidualNEON(SB), NOSPLIT, $0-24
	MOVD  values+0(FP), R0
	MOVD  before+8(FP), R1
	MOVD  sums+16(FP), R2
	MOVD  $64, R3
	VDUP  R3, V5.S4
	VMOVI $127, V6.B16
	SET_16
	SET_16
	SET_16
	SET_16
	RET
