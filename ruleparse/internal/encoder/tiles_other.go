//go:build amd64 && !linux

package encoder

func requestTiles() bool { return false }
