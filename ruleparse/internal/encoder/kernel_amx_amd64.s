#include "textflag.h"

// Instructions of AMX, which Go's assembler does not have. Arguments are numbers of tiles, and of the
// registers of an address: SI 6, DI 7, BX 3, AX 0. Strides are in CX (1), DX (2) and R9 (1).

// LOAD_CX tile, [base + CX]: rows of a stride in CX
#define LOAD_CX(tile, base) BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x4b; BYTE $(0x04 | tile<<3); BYTE $(1<<3 | base)

// LOAD_DX tile, [base + disp + DX]
#define LOAD_DX(tile, base, disp) BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x4b; BYTE $(0x44 | tile<<3); BYTE $(2<<3 | base); BYTE $disp

// LOAD_R9 tile, [base + disp + R9]
#define LOAD_R9(tile, base, disp) BYTE $0xc4; BYTE $0xa2; BYTE $0x7b; BYTE $0x4b; BYTE $(0x44 | tile<<3); BYTE $(1<<3 | base); BYTE $disp

// STORE_DX tile, [base + disp + DX]
#define STORE_DX(tile, base, disp) BYTE $0xc4; BYTE $0xe2; BYTE $0x7a; BYTE $0x4b; BYTE $(0x44 | tile<<3); BYTE $(2<<3 | base); BYTE $disp

// TDPBUSD sums, values, weights
#define TDPBUSD(sums, values, weights) BYTE $0xc4; BYTE $0xe2; BYTE $(0x01 | (15-weights)<<3); BYTE $0x5e; BYTE $(0xc0 | sums<<3 | values)

// LDTILECFG [AX] and TILERELEASE
#define LDTILECFG_AX BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0x00
#define TILERELEASE BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0xc0

// tiles is their configuration: each has 16 rows of 64 bytes.
DATA tiles<>+0(SB)/8, $1
DATA tiles<>+8(SB)/8, $0
DATA tiles<>+16(SB)/8, $0x0040004000400040
DATA tiles<>+24(SB)/8, $0x0040004000400040
DATA tiles<>+32(SB)/8, $0
DATA tiles<>+40(SB)/8, $0
DATA tiles<>+48(SB)/8, $0x1010101010101010
DATA tiles<>+56(SB)/8, $0
GLOBL tiles<>(SB), RODATA|NOPTR, $64

// func productsAMX(sums, start []int32, q, weights []int8, rows, inputs int)
TEXT ·productsAMX(SB), NOSPLIT, $0-112
	LEAQ tiles<>(SB), AX
	LDTILECFG_AX
	MOVQ sums_base+0(FP), R8
	MOVQ q_base+48(FP), R10
	MOVQ rows+96(FP), R11
	MOVQ inputs+104(FP), CX
	MOVQ $256, DX
	XORQ R9, R9

rows: // 32 at a time
	XORQ R12, R12 // bytes of the outputs before

outputs: // 32 at a time
	MOVQ start_base+24(FP), AX
	ADDQ R12, AX
	LOAD_R9(0, 0, 0)
	LOAD_R9(1, 0, 64)
	LOAD_R9(2, 0, 0)
	LOAD_R9(3, 0, 64)
	MOVQ R10, SI
	MOVQ CX, BX
	SHLQ $4, BX
	ADDQ SI, BX
	MOVQ weights_base+72(FP), DI
	ADDQ R12, DI
	MOVQ CX, R13

inputs: // 64 at a time
	LOAD_CX(4, 6)
	LOAD_DX(6, 7, 0)
	TDPBUSD(0, 4, 6)
	LOAD_DX(7, 7, 64)
	TDPBUSD(1, 4, 7)
	LOAD_CX(5, 3)
	TDPBUSD(2, 5, 6)
	TDPBUSD(3, 5, 7)
	ADDQ $64, SI
	ADDQ $64, BX
	ADDQ $4096, DI
	SUBQ $64, R13
	JNZ  inputs

	LEAQ (R8)(R12*1), AX
	STORE_DX(0, 0, 0)
	STORE_DX(1, 0, 64)
	ADDQ $4096, AX
	STORE_DX(2, 0, 0)
	STORE_DX(3, 0, 64)
	ADDQ $128, R12
	CMPQ R12, $256
	JLT  outputs

	MOVQ CX, AX
	SHLQ $5, AX
	ADDQ AX, R10
	ADDQ $8192, R8
	SUBQ $32, R11
	JGT  rows
	TILERELEASE
	RET
