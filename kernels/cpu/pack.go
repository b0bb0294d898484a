package cpu

// packRows copies the rows from to end of A, Height of them after one another
// by columns, with zeros for those that the last ones lack.
func (g *gemm) packRows(to []float32, from, end int) {
	height := g.d.set.Height
	for row := from; row < end; row += height {
		tile, rows := to[(row-from)*g.deep:][:height*g.deep], min(height, end-row)
		if rows < height {
			clear(tile)
		}
		if !g.a.transposed {
			for i := range rows {
				for p, v := range g.a.data[(row+i)*g.a.stride+g.first:][:g.deep] {
					tile[p*height+i] = v
				}
			}
			continue
		}
		for p := range g.deep {
			copy(tile[p*height:], g.a.data[(g.first+p)*g.a.stride+row:][:rows])
		}
	}
}

// packPanel copies a panel of B, Width numbers for each product, with zeros for
// the columns that are not there.
func (g *gemm) packPanel(panel int) {
	width := g.d.set.Width
	column := panel * width
	cols := min(width, g.b.cols-column)
	to := g.packed[panel*width*g.deep : (panel+1)*width*g.deep]
	if cols < width {
		clear(to)
	}
	if g.b.transposed {
		for j := range cols {
			for p, v := range g.b.data[(column+j)*g.b.stride+g.first:][:g.deep] {
				to[p*width+j] = v
			}
		}
		return
	}
	for p := range g.deep {
		copy(to[p*width:], g.b.data[(g.first+p)*g.b.stride+column:][:cols])
	}
}
