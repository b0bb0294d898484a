package ruleparse

// hashString is 32-bit FNV-1a with a final mix, so that all bits depend on all
// bytes.
func hashString(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return mix(h)
}

// mix is the 32-bit finaliser of MurmurHash3.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// join hashes two hashes in order.
func join(a, b uint32) uint32 { return mix(a*0x9e3779b1 + b ^ b>>15) }

// blend hashes two hashes, or numbers, in order: half as long as join takes.
func blend(a, b uint32) uint32 {
	h := (a*0x9e3779b1 ^ b) * 0x85ebca6b
	return h ^ h>>15
}
