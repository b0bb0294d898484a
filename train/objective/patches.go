package objective

import "capgraph/kernels"

// patchBlocks has, for each image, the texts that its patches are compared with.
type patchBlocks struct {
	first, starts           []int32 // the kernels.Blocks of texts
	patchFirst, patchStarts []int32 // the kernels.Blocks of each image's patches with themselves
	own                     firstRows
}

// removeImages removes all images.
func (b *patchBlocks) removeImages() { b.first, b.starts = b.first[:0], append(b.starts[:0], 0) }

// addImage adds an image whose patches are compared with n rows of texts, from row first on.
func (b *patchBlocks) addImage(first, n int) {
	b.first = append(b.first, int32(first))
	b.starts = append(b.starts, b.starts[len(b.starts)-1]+int32(n))
}

// compareTexts returns, for all texts of all images in order, the cosine of the text with the mean of its image's
// patches under the given weights, times exp(logScale): [1, rows]. texts [n, w] are of length 1. patches has each rows
// for each image, and may have more images than were added.
func (b *patchBlocks) compareTexts(t *kernels.Tape, texts, patches *kernels.Var, each int, weights kernels.PatchWeights, logScale *kernels.Var) *kernels.Var {
	images, d := len(b.first), t.Device
	patches = b.own.takeRows(t, patches, images*each)
	b.patchFirst, b.patchStarts = b.patchFirst[:0], append(b.patchStarts[:0], 0)
	for i := range images {
		b.patchFirst, b.patchStarts = append(b.patchFirst, int32(i*each)), append(b.patchStarts, int32((i+1)*each))
	}
	blocks := kernels.Blocks{First: d.Ints(b.first), Starts: d.Ints(b.starts)}
	products := t.BlockProduct(patches, patches, kernels.Blocks{First: d.Ints(b.patchFirst), Starts: d.Ints(b.patchStarts)})
	y := t.PooledCosine(t.BlockProduct(texts, patches, blocks), products, blocks.Starts, weights)
	return t.Reshape(t.Similarity(t.Reshape(y, 1), t.Scalar(1), logScale), y.Value.Cols)
}
