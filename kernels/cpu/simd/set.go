package simd

// Set is the functions of an instruction set. Slices of one call have the length
// of the first, which is not checked, and are the same or do not overlap.
type Set struct {
	// Name is "avx512", "avx2" or "portable".
	Name string
	// Height and Width are the numbers of rows and columns of a tile.
	Height, Width int
	// Depth is how many products of a sum a tile adds before the next tile. Rows is how many rows of
	// A, of that depth, are multiplied with a panel of B before the next one; it is a multiple of
	// Height. A block of A stays in the second-level cache.
	Depth, Rows int
	// TileRows is for an A whose rows are contiguous: row i begins at a[i·lda].
	TileRows Tile
	// TileColumns is for an A whose columns are contiguous: column p begins at
	// a[p·lda].
	TileColumns Tile
	// Transpose is to[p·stride + j] = from[j·distance + p], of 4 rows j and k columns p.
	Transpose func(to []float32, stride int, from []float32, distance, k int)

	// Dot is Σ x·y.
	Dot func(x, y []float32) float32
	// TripleDot is Σ x·y·z.
	TripleDot func(x, y, z []float32) float32
	// Sum is Σ x.
	Sum func(x []float32) float32
	// Variance is Σ (x − mean)².
	Variance func(x []float32, mean float32) float32
	// Max is the largest of x, -Inf of none.
	Max func(x []float32) float32

	// Add is y += x.
	Add func(y, x []float32)
	// AddScaled is y += a·x.
	AddScaled func(y, x []float32, a float32)
	// Scale is y = a·x.
	Scale func(y, x []float32, a float32)
	// Subtract is y = x − z.
	Subtract func(y, x, z []float32)
	// MultiplySum is y = a·y·(x + b), the backward half of a softmax.
	MultiplySum func(y, x []float32, a, b float32)

	// Exp is y = exp(a·x + b), and Σ y. The exponential is 0 below -69, or 1e-30,
	// and at most what it is at 88.
	Exp func(y, x []float32, a, b float32) float32
	// GELU is y = x·Φ(x), with the distribution of the normal law (Hendrycks and
	// Gimpel 2016).
	GELU func(y, x []float32)
	// GELUSlope is d = dy·(Φ(x) + x·φ(x)).
	GELUSlope func(d, dy, x []float32)
	// QuickGELU is y = x·σ(1.702·x).
	QuickGELU func(y, x []float32)
	// QuickGELUSlope is d = dy·(s + z·s·(1 − s)), with z = 1.702·x and s = σ(z).
	QuickGELUSlope func(d, dy, x []float32)

	// Normalize is y = (x − mean)·inverse·gain + bias.
	Normalize func(y, x, gain, bias []float32, mean, inverse float32)
	// NormalizeSlope is d = a·(dy·gain − c) + b·(x − mean).
	NormalizeSlope func(d, dy, gain, x []float32, a, b, c, mean float32)
	// NormalizeGains is dgain += dy·(x − mean)·inverse and dbias += dy.
	NormalizeGains func(dgain, dbias, dy, x []float32, mean, inverse float32)

	// AddSquares is y += (x − mean)².
	AddSquares func(y, x, mean []float32)
	// NormalizeColumns is y = (x − mean)·scale + bias.
	NormalizeColumns func(y, x, mean, scale, bias []float32)
	// ColumnGains is along += dy·(x − mean) and sum += dy.
	ColumnGains func(along, sum, dy, x, mean []float32)
	// ColumnSlope is d = scale·(dy − sum − (x − mean)·along).
	ColumnSlope func(d, dy, x, mean, along, sum, scale []float32)
	// Rectify is y = max(y, 0).
	Rectify func(y []float32)
	// RectifySlope sets d to 0 wherever y is 0, of a y that Rectify computed.
	RectifySlope func(d, y []float32)

	// AdamW is a step of parameters p by their gradients g, with moments m and v.
	// Moments that would be denormal are 0.
	AdamW func(p, g, m, v []float32, o *AdamW)
}

// Tile is C = A·B or, with add, C += A·B, of Height rows and Width columns, with k products for
// each number. Row i of C begins at c[i·ldc]; b is packed: k times Width numbers.
type Tile func(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool)

// AdamW has the numbers of a step, in the order of the assembly: the factor of gradients; β₁, 1 −
// β₁, β₂ and 1 − β₂; 1 less the learning rate times the weight decay; the learning rate by the
// first correction; the inverse of the second; ε.
type AdamW = [9]float32

// Best returns the fastest set that this processor supports.
func Best() Set { return Available()[0] }
