// Package simd is the float32 arithmetic of one core: the tiles of matrix products, and functions
// over rows of numbers. A [Set] has all of them for one instruction set: AVX-512, AVX2 with FMA, or
// plain Go for other processors. The assembly is written by package main in ../asm.
//
// Sets differ in the last bits, because they add in different orders. One set gives the same bits
// every time.
package simd

//go:generate go run -C ../asm . -out ../simd/simd_amd64.s -stubs ../simd/stubs_amd64.go -pkg simd
