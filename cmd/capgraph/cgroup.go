package main

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// cgroupMemory returns the memory limit of this process in bytes: the lowest limit of its control
// group (version 1 or 2) and of the groups above it, or math.MaxInt64 if there is none.
func cgroupMemory(root fs.FS) int64 {
	own, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return math.MaxInt64
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(own)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		dir, file := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[1] == "memory":
			dir, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case parts[1] != "":
			continue
		}
		// In a container the path may be the path on the host. The limit is then in the root group.
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			text, err := fs.ReadFile(root, path.Join(dir, at, file))
			if n, wrong := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && wrong == nil && n > 0 {
				least = min(least, n)
			}
			if at == "/" {
				break
			}
		}
	}
	return least
}
