package simd

// Set has the functions for one instruction set. All slices of a call have the length of the first,
// which is not checked. Two slices are the same or do not overlap.
type Set struct {
	// Name is "avx512", "avx2" or "portable".
	Name string
	// Height and Width are the numbers of rows and columns of a tile.
	Height, Width int
	// Depth is how many columns of A are multiplied at a time. Rows, a multiple of Height, is how
	// many rows of A are: a block of Rows by Depth stays in the second-level cache.
	Depth, Rows int
	// TileRows multiplies an A whose rows are contiguous: row i begins at a[i·lda].
	TileRows Tile
	// TileColumns multiplies an A whose columns are contiguous: column p begins at a[p·lda].
	TileColumns Tile
	// Transpose sets to[p·stride + j] = from[j·distance + p] for 4 rows j and k columns p.
	Transpose func(to []float32, stride int, from []float32, distance, k int)

	// Dot returns Σ x·y.
	Dot func(x, y []float32) float32
	// TripleDot returns Σ x·y·z.
	TripleDot func(x, y, z []float32) float32
	// Sum returns Σ x.
	Sum func(x []float32) float32
	// Variance returns Σ (x − mean)², which is not divided by the number of elements.
	Variance func(x []float32, mean float32) float32
	// Max returns the largest element of x, or -Inf if x is empty.
	Max func(x []float32) float32

	// Add adds x to y.
	Add func(y, x []float32)
	// AddScaled adds a·x to y.
	AddScaled func(y, x []float32, a float32)
	// Scale computes y = a·x.
	Scale func(y, x []float32, a float32)
	// Subtract computes y = x − z.
	Subtract func(y, x, z []float32)
	// MultiplySum computes y = a·y·(x + b), the backward half of a softmax.
	MultiplySum func(y, x []float32, a, b float32)

	// Exp computes y = exp(a·x + b), and returns Σ y. The result is 0 for arguments below -69, and
	// at most exp(88).
	Exp func(y, x []float32, a, b float32) float32
	// GELU computes y = x·Φ(x), where Φ is the standard normal distribution (Hendrycks and Gimpel
	// 2016).
	GELU func(y, x []float32)
	// GELUSlope computes d = dy·(Φ(x) + x·φ(x)).
	GELUSlope func(d, dy, x []float32)
	// QuickGELU computes y = x·σ(1.702·x).
	QuickGELU func(y, x []float32)
	// QuickGELUSlope computes d = dy·(s + z·s·(1 − s)), with z = 1.702·x and s = σ(z).
	QuickGELUSlope func(d, dy, x []float32)

	// Normalize computes y = (x − mean)·inverse·gain + bias.
	Normalize func(y, x, gain, bias []float32, mean, inverse float32)
	// NormalizeSlope computes d = a·(dy·gain − c) + b·(x − mean).
	NormalizeSlope func(d, dy, gain, x []float32, a, b, c, mean float32)
	// NormalizeGains computes dgain += dy·(x − mean)·inverse and dbias += dy.
	NormalizeGains func(dgain, dbias, dy, x []float32, mean, inverse float32)

	// AddSquares adds (x − mean)² to y.
	AddSquares func(y, x, mean []float32)
	// NormalizeColumns computes y = (x − mean)·scale + bias.
	NormalizeColumns func(y, x, mean, scale, bias []float32)
	// ColumnGains computes along += dy·(x − mean) and sum += dy.
	ColumnGains func(along, sum, dy, x, mean []float32)
	// ColumnSlope computes d = scale·(dy − sum − (x − mean)·along).
	ColumnSlope func(d, dy, x, mean, along, sum, scale []float32)
	// Rectify sets y to max(y, 0).
	Rectify func(y []float32)
	// RectifySlope sets d to 0 wherever y is 0. y is a result of Rectify.
	RectifySlope func(d, y []float32)

	// AdamW updates parameters p by their gradients g, with moments m and v. Moments that would be
	// denormal become 0.
	AdamW func(p, g, m, v []float32, o *AdamW)
}

// Tile computes C = A·B or, if add is true, C += A·B, where C has Height rows and Width columns,
// and A has k columns. Row i of C begins at c[i·ldc]. b is packed: k rows of Width numbers.
type Tile func(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool)

// AdamW has the numbers of a step, in the order of the assembly: the factor of gradients; β₁, 1 −
// β₁, β₂ and 1 − β₂; 1 − learning rate · weight decay; the learning rate divided by the first bias
// correction; 1 divided by the second one; ε.
type AdamW = [9]float32

// Best returns the fastest set that this processor supports.
func Best() Set { return Available()[0] }
