package metrics

import (
	"testing"
	"time"
)

func TestPaceNamesTheBottleneck(t *testing.T) {
	var all Pace
	for _, c := range []struct {
		pace Pace
		want string
	}{
		{Pace{64, 64 * time.Millisecond, 0, 8 * time.Millisecond}, "1,000 images/s (steps 1,000, loader 8,000: loading keeps up)"},
		{Pace{64, 64 * time.Millisecond, time.Millisecond, 60 * time.Millisecond}, "984 images/s (steps 1,000, loader 1,066: loading keeps up)"},
		{Pace{64, 32 * time.Millisecond, 32 * time.Millisecond, 64 * time.Millisecond}, "1,000 images/s (steps 2,000, loader 1,000: steps wait for images)"},
		{Pace{}, "0 images/s (steps 0, loader 0: loading keeps up)"},
	} {
		if got := c.pace.String(); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
		all.Add(c.pace)
	}
	if got, want := all.String(), "994 images/s (steps 1,200, loader 1,454: steps wait for images)"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
