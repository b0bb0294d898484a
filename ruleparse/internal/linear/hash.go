package linear

// Hash is 32-bit FNV-1a with a final mix, so that all bits depend on all
// bytes.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return Mix(h)
}

// Mix is the 32-bit finaliser of MurmurHash3.
func Mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Join hashes two hashes in order.
func Join(a, b uint32) uint32 { return Mix(a*0x9e3779b1 + b ^ b>>15) }

// Blend hashes two hashes, or numbers, in order: half as long as join takes.
func Blend(a, b uint32) uint32 {
	h := (a*0x9e3779b1 ^ b) * 0x85ebca6b
	return h ^ h>>15
}
