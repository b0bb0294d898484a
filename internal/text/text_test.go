package text

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "shards", 1: "shard", 2: "shards", -1: "shards"} {
		if got := Plural(n, "shard", "shards"); got != want {
			t.Errorf("%d %s, want %s", n, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 100_000: "100,000", -1: "-1", -999: "-999", -1234567: "-1,234,567",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	if got := Counted(1, "row", "rows") + ", " + Counted(int64(1200), "row", "rows"); got != "1 row, 1,200 rows" {
		t.Error(got)
	}
}

func TestList(t *testing.T) {
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprint(i))
	}
	for n, want := range map[int]string{0: "", 1: "0", 2: "0, 1", 10: strings.Join(names[:10], ", "), 12: strings.Join(names[:10], ", ") + " and 2 more"} {
		if got := List(names[:n]); got != want {
			t.Errorf("%d names: %q, want %q", n, got, want)
		}
	}
}
