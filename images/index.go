package images

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// place is where an image is stored. Its name is kept as 128 bits of its SHA-256, so that each
// image takes 32 bytes.
type place struct {
	name   [2]uint64
	offset int64  // of the bytes in a tar; in a Parquet file, the row
	size   uint32 // in bytes, for tars
	file   uint32 // the number of the tar or Parquet file
}

func hashName(name string) [2]uint64 {
	sum := sha256.Sum256([]byte(name))
	return [2]uint64{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// index is a list of places, sorted by name.
type index []place

// newIndex sorts places by name. Of equal names it keeps the first.
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
