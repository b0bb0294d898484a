//go:build !amd64

package resize

func across(dst, src []byte, w *weights) { acrossPortable(dst, src, w) }

func down(dst, rows []byte, factors []int32) { downPortable(dst, rows, factors) }
