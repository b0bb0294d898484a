package simd

// tileRows is Set.TileRows in plain Go.
func tileRows(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool) {
	tile(c, ldc, a[:k], a[lda:lda+k], a[2*lda:2*lda+k], a[3*lda:3*lda+k], 1, b, k, add)
}

// tileColumns is Set.TileColumns in plain Go.
func tileColumns(c []float32, ldc int, a []float32, lda int, b []float32, k int, add bool) {
	tile(c, ldc, a, a[1:], a[2:], a[3:], lda, b, k, add)
}

// tile computes a tile of C of 4 by 4 numbers, which stay in registers. a0 to a3 are four rows of
// A; step is the distance between two numbers of a row.
func tile(c []float32, ldc int, a0, a1, a2, a3 []float32, step int, b []float32, k int, add bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33 float32
	for p := range k {
		x, y, z, w := a0[p*step], a1[p*step], a2[p*step], a3[p*step]
		r := b[4*p : 4*p+4 : 4*p+4]
		b0, b1, b2, b3 := r[0], r[1], r[2], r[3]
		c00, c01, c02, c03 = c00+x*b0, c01+x*b1, c02+x*b2, c03+x*b3
		c10, c11, c12, c13 = c10+y*b0, c11+y*b1, c12+y*b2, c13+y*b3
		c20, c21, c22, c23 = c20+z*b0, c21+z*b1, c22+z*b2, c23+z*b3
		c30, c31, c32, c33 = c30+w*b0, c31+w*b1, c32+w*b2, c33+w*b3
	}
	put4(c, c00, c01, c02, c03, add)
	put4(c[ldc:], c10, c11, c12, c13, add)
	put4(c[2*ldc:], c20, c21, c22, c23, add)
	put4(c[3*ldc:], c30, c31, c32, c33, add)
}

func put4(c []float32, x, y, z, w float32, add bool) {
	if add {
		x, y, z, w = x+c[0], y+c[1], z+c[2], w+c[3]
	}
	c[0], c[1], c[2], c[3] = x, y, z, w
}

func transpose(to []float32, stride int, from []float32, distance, k int) {
	for j := range 4 {
		for p, v := range from[j*distance:][:k] {
			to[p*stride+j] = v
		}
	}
}
