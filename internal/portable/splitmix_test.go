package portable

import "testing"

// Values published for SplitMix64 from the state 1234567.
func TestSplitMix64(t *testing.T) {
	s := SplitMix64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := s.Next(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}
