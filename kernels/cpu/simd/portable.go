package simd

// portable is the set of any processor.
func portable() Set {
	return Set{Name: "portable", Height: 4, Width: 4, TileRows: tileRows, TileColumns: tileColumns}
}
