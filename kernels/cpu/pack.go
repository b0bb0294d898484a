package cpu

import "capgraph/kernels/cpu/simd"

// packRows copies the rows from to end-1 of a, and of these the deep columns from first on. Groups
// of as many rows as a tile are stored column by column; the last group is filled up with rows of
// 0.
func packRows(set *simd.Set, to []float32, a matrix, from, end, first, deep int) {
	height := set.Height
	for row := from; row < end; row += height {
		tile, rows := to[(row-from)*deep:][:height*deep], min(height, end-row)
		if rows < height {
			clear(tile)
		}
		if !a.transposed {
			i := 0
			for ; i+4 <= rows; i += 4 {
				set.Transpose(tile[i:], height, a.data[(row+i)*a.stride+first:], a.stride, deep)
			}
			for ; i < rows; i++ {
				for p, v := range a.data[(row+i)*a.stride+first:][:deep] {
					tile[p*height+i] = v
				}
			}
			continue
		}
		for p := range deep {
			copy(tile[p*height:], a.data[(first+p)*a.stride+row:][:rows])
		}
	}
}

// packPanel copies deep rows of b from first on, and of these the columns of one tile from column
// on, row by row. Columns beyond the end of b are 0.
func packPanel(set *simd.Set, to []float32, b matrix, column, first, deep int) {
	width := set.Width
	cols := min(width, b.cols-column)
	if cols < width {
		clear(to[:deep*width])
	}
	if b.transposed {
		j := 0
		for ; j+4 <= cols; j += 4 {
			set.Transpose(to[j:], width, b.data[(column+j)*b.stride+first:], b.stride, deep)
		}
		for ; j < cols; j++ {
			for p, v := range b.data[(column+j)*b.stride+first:][:deep] {
				to[p*width+j] = v
			}
		}
		return
	}
	for p := range deep {
		copy(to[p*width:], b.data[(first+p)*b.stride+column:][:cols])
	}
}
