//go:build unix

package objectstore

import "golang.org/x/sys/unix"

// freeIn is how many bytes a process may still write in a folder; -1 where that is
// unknown.
func freeIn(dir string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
