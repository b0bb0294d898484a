package simd

// Set is the functions of an instruction set.
type Set struct {
	// Name is "avx512", "avx2" or "portable".
	Name string
	// Height and Width are the numbers of rows and columns of a tile.
	Height, Width int
	// TileRows is for an A whose rows are contiguous: row i begins at a[i·lda].
	TileRows Tile
	// TileColumns is for an A whose columns are contiguous: column p begins at
	// a[p·lda].
	TileColumns Tile
}

// Tile is C = A·B, or C += A·B where add is set, of Height rows and Width
// columns, with k products a number: row i of C begins at c[i·ldc], b is packed:
// k times Width numbers.
type Tile func(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool)

// Best is the fastest set that this processor has.
func Best() Set { return Available()[0] }
