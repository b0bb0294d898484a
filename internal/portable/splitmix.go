package portable

// SplitMix64 is a sequence of random numbers that depends only on its first state (Steele, Lea and
// Flood 2014, with Vigna's constants). It is not for secrets.
type SplitMix64 uint64

// Next returns a number that is uniform over all of uint64.
func (s *SplitMix64) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number in [0, n); n is at least 1.
func (s *SplitMix64) IntN(n int) int { return int(s.Next() % uint64(n)) }
