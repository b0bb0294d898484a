package llmparse

import (
	"os"
	"strings"
	"testing"
)

// TestNoCacheInAnObjectStore names an address where replies are kept: that is refused,
// and no folder of that name is made.
func TestNoCacheInAnObjectStore(t *testing.T) {
	t.Chdir(t.TempDir())
	const dir = "s3://bucket/replies"
	o := Defaults()
	o.Cache = dir
	_, opened := openCache(dir)
	_, has := HasReplies(dir)
	_, merged := MergeCache(dir)
	for what, err := range map[string]error{"open": opened, "has": has, "check": o.Check()} {
		if err == nil || !strings.Contains(err.Error(), "name a local folder") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 || merged == nil {
		t.Errorf("%v, %v, merged: %v", left, err, merged)
	}
}
