package convnet

import "golang.org/x/sys/cpu"

const hasDense = true

// hasDot reports whether this processor has dot products of bytes.
var hasDot = cpu.ARM64.HasASIMDDP

// addDense adds the products of the values of a token and the rows of its place among its
// neighbours: channels rows of channels int8, as packDense orders them.
func addDense(sums *channelSums, values *tokenValues, rows []int8) {
	_ = rows[channels*channels-1]
	if hasDot {
		addProductsSDOT(&sums[0], &values[0], &rows[0])
		return
	}
	addProductsSMULL(&sums[0], &values[0], &rows[0])
}

// setResidual is tokenValues.setResidual.
func setResidual(v, before *tokenValues, sums *channelSums) {
	setResidualNEON(&v[0], &before[0], &sums[0])
}

// addProductsSDOT adds the products of values, below 128, and rows of weights to sums. rows has, for
// each four values, four weights a channel.
//
//go:noescape
func addProductsSDOT(sums *int32, values *uint8, rows *int8)

// addProductsSMULL is addProductsSDOT for processors without dot products.
//
//go:noescape
func addProductsSMULL(sums *int32, values *uint8, rows *int8)

// setResidualNEON sets values to those before and the sums of a layer, rounded to values.
//
//go:noescape
func setResidualNEON(values, before *uint8, sums *int32)
