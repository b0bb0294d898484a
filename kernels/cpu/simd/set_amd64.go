package simd

import "golang.org/x/sys/cpu"

// Available are the sets that this processor has, the fastest first.
func Available() []Set {
	sets := make([]Set, 0, 3)
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512DQ && x.HasBMI2 && x.HasFMA && x.HasAVX2 {
		sets = append(sets, Set{
			Name: "avx512", Height: 12, Width: 32, TileRows: tileRows512, TileColumns: tileColumns512,
		})
	}
	if x.HasAVX2 && x.HasFMA && x.HasBMI2 {
		sets = append(sets, Set{
			Name: "avx2", Height: 6, Width: 16, TileRows: tileRows256, TileColumns: tileColumns256,
		})
	}
	return append(sets, portable())
}
