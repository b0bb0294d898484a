package resize

import "golang.org/x/sys/cpu"

func resampleRow(dst, src []byte, w *weights) {
	if !cpu.X86.HasAVX2 {
		acrossPortable(dst, src, w)
		return
	}
	acrossAVX2(dst, src, w.begin, w.factors, w.width)
}

func resampleColumns(dst, rows []byte, factors []int32) {
	if !cpu.X86.HasAVX2 || len(dst) < 32 { // it computes 8 pixels at a time
		downPortable(dst, rows, factors)
		return
	}
	downAVX2(dst, rows, factors)
}
