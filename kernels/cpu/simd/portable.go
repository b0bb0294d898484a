package simd

// portableSet returns the set in plain Go, for any processor.
func portableSet() Set {
	return Set{
		Name: "portable", Height: 4, Width: 4, Depth: 256, Rows: 240, TileRows: tileRows, TileColumns: tileColumns, Transpose: transpose,
		Dot:       dot,
		TripleDot: tripleDot,
		Sum:       sum,
		Variance:  variance,
		Max:       maximum,

		Add:         add,
		AddScaled:   addScaled,
		Scale:       scale,
		Subtract:    subtract,
		MultiplySum: multiplySum,

		Exp:            exp,
		GELU:           gelu,
		GELUSlope:      geluSlope,
		QuickGELU:      quickGELU,
		QuickGELUSlope: quickGELUSlope,

		Normalize:      normalize,
		NormalizeSlope: normalizeSlope,
		NormalizeGains: normalizeGains,

		AddSquares:       addSquares,
		NormalizeColumns: normalizeColumns,
		ColumnGains:      columnGains,
		ColumnSlope:      columnSlope,
		Rectify:          rectify,
		RectifySlope:     rectifySlope,

		AdamW: adamw,
	}
}
