// Package resize resamples 8-bit images bicubically with antialiasing. It returns the same bytes as
// Pillow, which torchvision's and open_clip's preprocessing use. The filter is Keys' cubic with a =
// −0.5 (Keys 1981, "Cubic convolution interpolation for digital image processing"), widened by the
// factor by which the image shrinks. It is applied along rows and then along columns, with weights
// of 22 fractional bits and 8-bit pixels between the passes. (Pillow 13 begins with the columns if
// that removes more than twice as many rows as columns; earlier versions begin with the rows, as
// this package does.) On amd64 with AVX2 both passes are assembly that the command in asm writes;
// the bytes are the same everywhere.
package resize

//go:generate go run -C asm . -out ../passes_amd64.s -stubs ../passes_stubs_amd64.go -pkg resize
