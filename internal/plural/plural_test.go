package plural

import "testing"

func TestOf(t *testing.T) {
	for n, want := range map[int]string{0: "shards", 1: "shard", 2: "shards", -1: "shards"} {
		if got := Of(n, "shard", "shards"); got != want {
			t.Errorf("%d %s, want %s", n, got, want)
		}
	}
}
