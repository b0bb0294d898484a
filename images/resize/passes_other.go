//go:build !amd64

package resize

func resampleRow(dst, src []byte, w *weights) { acrossPortable(dst, src, w) }

func resampleColumns(dst, rows []byte, factors []int32) { downPortable(dst, rows, factors) }
