package store_test

import (
	"strings"
	"testing"

	"capgraph/store"
)

func TestAFailedReadIsExplainedOnce(t *testing.T) {
	const name = "/proc/self/mem" // whose first page is not there
	_, err := store.ReadFile(store.Local{}, name, 100)
	if err == nil || strings.Count(err.Error(), name) != 1 || strings.Count(err.Error(), "dmesg") != 1 {
		t.Error(err)
	}
}
