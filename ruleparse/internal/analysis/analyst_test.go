package analysis

import (
	"strings"
	"testing"
)

func TestAddNetworkRefuses(t *testing.T) {
	for name, s := range map[string]string{
		"nothing":           "",
		"a share of NaN":    "\x00\x00\xc0\x7f",
		"a share of 2":      "\x00\x00\x00\x40",
		"a share, no table": "\x00\x00\x00\x3f",
	} {
		if err := new(Analyst).AddNetwork(s, 3); err == nil || !strings.Contains(err.Error(), "network: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
