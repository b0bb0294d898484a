package main

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestMemoryOfAContainer(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none":         {nil, math.MaxInt64},
		"no limit":     {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, math.MaxInt64},
		"own":          {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1 << 30},
		"above":        {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "100\n", "sys/fs/cgroup/a/b/memory.max": "200\n"}, 100},
		"version 1":    {map[string]string{"proc/self/cgroup": "4:memory:/docker/x\n3:cpu:/y\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "300\n"}, 300},
		"rubbish":      {map[string]string{"proc/self/cgroup": "0::/../..\nx\n", "sys/fs/cgroup/memory.max": "-1\n"}, math.MaxInt64},
		"v1 unlimited": {map[string]string{"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 9223372036854771712},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := cgroupMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := memoryLimit(8, 1<<30); got != (1<<30)/10*9 {
		t.Errorf("eight workers in a container of a GiB may take %d", got)
	}
	if got := memoryLimit(8, math.MaxInt64); got != 2000<<20 {
		t.Errorf("eight workers may take %d", got)
	}
}
