//go:build unix

package objectstore

import "golang.org/x/sys/unix"

// freeBytes returns how many bytes a process may still write to a folder; −1 if that is unknown.
func freeBytes(dir string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
