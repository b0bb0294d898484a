package convnet

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../products_amd64.s -stubs ../products_stubs_amd64.go -pkg convnet

// hasDense reports whether this processor has a kernel of addDense; hasDot whether it has dot
// products of bytes.
var (
	hasDot   = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI
	hasDense = cpu.X86.HasAVX2
)

// addDense adds the products of the values of a token and the rows of its place among its
// neighbours: channels rows of channels int8, as packDense orders them.
func addDense(sums *channelSums, values *tokenValues, rows []int8) {
	_ = rows[channels*channels-1]
	if hasDot {
		addProductsVNNI(&sums[0], &values[0], &rows[0])
		return
	}
	addProductsAVX2(&sums[0], &values[0], &rows[0])
}

// setResidual is tokenValues.setResidual.
func setResidual(v, before *tokenValues, sums *channelSums) {
	setResidualAVX2(&v[0], &before[0], &sums[0])
}
