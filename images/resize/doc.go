// Package resize resamples 8-bit images bicubically with antialiasing, to the
// same bytes as Pillow, on whose resize torchvision's and open_clip's
// preprocessing stand: a = −0.5 (Keys 1981, "Cubic convolution interpolation for
// digital image processing"), the filter as wide as the image shrinks, first
// along rows and then along columns, with weights of 22 bits and 8-bit pixels
// between the passes. (Pillow 13 begins with the columns where more than twice as
// many rows as columns go; all versions before begin with the rows, as this
// package does.) On amd64 with AVX2 both passes are assembly, written by
// package main in asm; the bytes are the same everywhere.
package resize

//go:generate go run -C asm . -out ../passes_amd64.s -stubs ../passes_stubs_amd64.go -pkg resize
