package serve

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		wins, n         int
		rate, low, high float64
	}{{0, 0, 0, 0, 1}, {0, 10, 0, 0, 0.2775}, {10, 10, 1, 0.7225, 1}, {8, 10, 0.8, 0.4902, 0.9433}, {50, 100, 0.5, 0.4038, 0.5962}} {
		rate, low, high := wilsonInterval(c.wins, c.n)
		if math.Abs(rate-c.rate) > 1e-4 || math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f (%.4f to %.4f)", c.wins, c.n, rate, low, high)
		}
	}
}
