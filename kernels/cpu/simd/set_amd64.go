package simd

import "golang.org/x/sys/cpu"

// Available returns the sets that this processor supports, the fastest first.
func Available() []Set {
	sets := make([]Set, 0, 3)
	x := &cpu.X86
	if x.HasAVX2 && x.HasFMA && x.HasBMI2 {
		if x.HasAVX512F && x.HasAVX512DQ {
			sets = append(sets, avx512())
		}
		sets = append(sets, avx2())
	}
	return append(sets, portableSet())
}

func avx512() Set {
	return Set{
		Name: "avx512", Height: 12, Width: 32, Depth: 768, Rows: 144, TileRows: tileRows512, TileColumns: tileColumns512, Transpose: transpose128,
		Dot:       dot512,
		TripleDot: tripleDot512,
		Sum:       sum512,
		Variance:  variance512,
		Max:       max512,

		Add:         add512,
		AddScaled:   addScaled512,
		Scale:       scale512,
		Subtract:    subtract512,
		MultiplySum: multiplySum512,

		Exp:            exp512,
		GELU:           gelu512,
		GELUSlope:      geluSlope512,
		QuickGELU:      quickGELU512,
		QuickGELUSlope: quickGELUSlope512,

		Normalize:      normalize512,
		NormalizeSlope: normalizeSlope512,
		NormalizeGains: normalizeGains512,

		AddSquares:       addSquares512,
		NormalizeColumns: normalizeColumns512,
		ColumnGains:      columnGains512,
		ColumnSlope:      columnSlope512,
		Rectify:          rectify512,
		RectifySlope:     rectifySlope512,

		AdamW: adamw512,
	}
}

func avx2() Set {
	return Set{
		Name: "avx2", Height: 6, Width: 16, Depth: 256, Rows: 240, TileRows: tileRows256, TileColumns: tileColumns256, Transpose: transpose128,
		Dot:       dot256,
		TripleDot: tripleDot256,
		Sum:       sum256,
		Variance:  variance256,
		Max:       max256,

		Add:         add256,
		AddScaled:   addScaled256,
		Scale:       scale256,
		Subtract:    subtract256,
		MultiplySum: multiplySum256,

		Exp:            exp256,
		GELU:           gelu256,
		GELUSlope:      geluSlope256,
		QuickGELU:      quickGELU256,
		QuickGELUSlope: quickGELUSlope256,

		Normalize:      normalize256,
		NormalizeSlope: normalizeSlope256,
		NormalizeGains: normalizeGains256,

		AddSquares:       addSquares256,
		NormalizeColumns: normalizeColumns256,
		ColumnGains:      columnGains256,
		ColumnSlope:      columnSlope256,
		Rectify:          rectify256,
		RectifySlope:     rectifySlope256,

		AdamW: adamw256,
	}
}
