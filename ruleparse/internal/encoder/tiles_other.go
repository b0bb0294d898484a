//go:build amd64 && !linux

package encoder

func allowTiles() bool { return false }
