package client

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"": 0, "2": 2 * time.Second, "0.5": 500 * time.Millisecond, "-3": 0, "soon": 0,
		"99999999": 0, "Fri, 01 Jan 2100 00:00:30 GMT": 30 * time.Second, "Fri, 01 Jan 2101 00:00:00 GMT": longestRetryAfter} {
		h := http.Header{}
		h.Set("Retry-After", header)
		if got := retryAfter(h, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("Retry-After %q is %v, want %v", header, got, want)
		}
	}
}
