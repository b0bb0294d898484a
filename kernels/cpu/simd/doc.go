// Package simd is what the float32 device computes with on one core: the tiles
// of matrix products, and functions over rows of numbers. A Set has all of them
// for one instruction set: AVX-512, AVX2 with FMA, or plain Go, which is what
// other processors have. The assembly is written by package main in ../asm.
//
// Sets differ in the last bits, as they add in other orders; one set gives the
// same bits every time.
package simd

//go:generate go run -C ../asm . -out ../simd/simd_amd64.s -stubs ../simd/stubs_amd64.go -pkg simd
