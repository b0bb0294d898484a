package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chains is the number of independent partial sums: an addition does not wait for the previous one.
const chains = 4

// writeReduction writes a function that returns a sum over slices. add writes the code that adds
// the terms of one vector to sum.
func (l lanes) writeReduction(name, signature, doc string, add func(p *loop, sum VecVirtual), slices ...string) {
	l.beginFunction(name, signature, doc)
	sums := make([]VecVirtual, chains)
	for i := range sums {
		sums[i] = l.zeroRegister()
	}
	l.forEachVector(chains, func(p *loop, u int) { add(p, sums[u]) }, slices...)
	VADDPS(sums[1], sums[0], sums[0])
	VADDPS(sums[3], sums[2], sums[2])
	VADDPS(sums[2], sums[0], sums[0])
	Store(l.sumLanes(sums[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// writeReductions writes the functions that return a number.
func writeReductions(l lanes) {
	l.writeReduction("dot", "func(x, y []float32) float32", "Σ x·y.", func(p *loop, sum VecVirtual) {
		VFMADD231PS(p.load("x"), p.load("y"), sum)
	}, "x", "y")
	l.writeReduction("tripleDot", "func(x, y, z []float32) float32", "Σ x·y·z.", func(p *loop, sum VecVirtual) {
		x := p.load("x")
		VMULPS(p.load("y"), x, x)
		VFMADD231PS(p.load("z"), x, sum)
	}, "x", "y", "z")
	l.writeReduction("sum", "func(x []float32) float32", "Σ x.", func(p *loop, sum VecVirtual) {
		VADDPS(p.load("x"), sum, sum)
	}, "x")

	l.writeReduction("variance", "func(x []float32, mean float32) float32", "Σ (x − mean)².", func(p *loop, sum VecVirtual) {
		x := p.load("x")
		VSUBPS(p.broadcast("mean"), x, x)
		p.zeroTail(x)
		VFMADD231PS(x, x, sum)
	}, "x")

	l.beginFunction("max", "func(x []float32) float32", "the largest of x, -Inf of none.")
	least := l.register()
	VMOVUPS(l.constant("-inf"), least)
	most := []VecVirtual{l.register(), l.register()}
	VMOVAPS(least, most[0])
	VMOVAPS(least, most[1])
	l.forEachVector(2, func(p *loop, u int) {
		x := p.load("x")
		p.blendTail(x, least)
		VMAXPS(x, most[u], most[u])
	}, "x")
	larger := func(a, b Op) { VMAXPS(a, b, b) }
	larger(most[1], most[0])
	Store(l.reduceLanes(most[0], larger), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
