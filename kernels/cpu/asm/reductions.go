package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chains is how many sums are kept at a time, so that one addition need not wait
// for the last.
const chains = 4

// reduction writes a function that adds up what add says of each vector.
func (l lanes) reduction(name, signature, doc string, add func(p *loop, sum VecVirtual), slices ...string) {
	l.text(name, signature, doc)
	sums := make([]VecVirtual, chains)
	for i := range sums {
		sums[i] = l.zero()
	}
	l.each(chains, func(p *loop, u int) { add(p, sums[u]) }, slices...)
	VADDPS(sums[1], sums[0], sums[0])
	VADDPS(sums[3], sums[2], sums[2])
	VADDPS(sums[2], sums[0], sums[0])
	Store(l.sumLanes(sums[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// reductions are functions of which the result is a number.
func reductions(l lanes) {
	l.reduction("dot", "func(x, y []float32) float32", "Σ x·y.", func(p *loop, sum VecVirtual) {
		VFMADD231PS(p.load("x"), p.load("y"), sum)
	}, "x", "y")
	l.reduction("tripleDot", "func(x, y, z []float32) float32", "Σ x·y·z.", func(p *loop, sum VecVirtual) {
		x := p.load("x")
		VMULPS(p.load("y"), x, x)
		VFMADD231PS(p.load("z"), x, sum)
	}, "x", "y", "z")
	l.reduction("sum", "func(x []float32) float32", "Σ x.", func(p *loop, sum VecVirtual) {
		VADDPS(p.load("x"), sum, sum)
	}, "x")

	l.reduction("variance", "func(x []float32, mean float32) float32", "Σ (x − mean)².", func(p *loop, sum VecVirtual) {
		x := p.load("x")
		VSUBPS(p.same("mean"), x, x)
		p.keep(x)
		VFMADD231PS(x, x, sum)
	}, "x")

	l.text("max", "func(x []float32) float32", "the largest of x, -Inf of none.")
	least := l.vec()
	VMOVUPS(l.c("-inf"), least)
	most := []VecVirtual{l.vec(), l.vec()}
	VMOVAPS(least, most[0])
	VMOVAPS(least, most[1])
	l.each(2, func(p *loop, u int) {
		x := p.load("x")
		p.keepOr(x, least)
		VMAXPS(x, most[u], most[u])
	}, "x")
	larger := func(a, b Op) { VMAXPS(a, b, b) }
	larger(most[1], most[0])
	Store(l.fold(most[0], larger), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
