package images

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// place is the place of an image. Names are kept as 128 bits of their SHA-256, so that a corpus of
// millions takes 32 bytes an image.
type place struct {
	name   [2]uint64
	offset int64  // of the bytes in a tar; the row in a Parquet file
	size   uint32 // in bytes, of a tar's
	file   uint32 // by number
}

func hashName(name string) [2]uint64 {
	sum := sha256.Sum256([]byte(name))
	return [2]uint64{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// index finds places by name.
type index []place

// newIndex puts places in the order in which they are found; of one name twice the
// first counts.
func newIndex(places []place) index {
	slices.SortStableFunc(places, func(a, b place) int { return compareHashes(a.name, b.name) })
	return slices.Clip(slices.CompactFunc(places, func(a, b place) bool { return a.name == b.name }))
}

func (x index) find(name string) (place, bool) {
	i, ok := slices.BinarySearchFunc(x, hashName(name), func(p place, h [2]uint64) int { return compareHashes(p.name, h) })
	if !ok {
		return place{}, false
	}
	return x[i], true
}

func compareHashes(a, b [2]uint64) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}
