// Package hubchunks cuts bytes into chunks as Xet, the storage of the Hugging Face Hub, does. It
// measures how much of a file would not have to be uploaded again:
//
//	share := hubchunks.Share(earlier, later)
//
// The rule is in the specification of huggingface/xet-core, spec/chunking.md: a Gear hash over 64
// bytes, whose upper 16 bits are 0 at the end of a chunk, which has 8 to 128 KiB. The table of the Gear
// hash is another one of random numbers, so that single chunks differ from those of the Hub; their sizes
// and the share are distributed alike.
package hubchunks

import (
	"crypto/sha256"
	"encoding/binary"
)

const (
	least = 8 << 10
	most  = 128 << 10
	mask  = 0xffff << 48
)

var gear = func() (table [256]uint64) {
	for i := range table {
		sum := sha256.Sum256([]byte{'g', byte(i)})
		table[i] = binary.LittleEndian.Uint64(sum[:])
	}
	return table
}()

// Cut returns the chunks of data.
func Cut(data []byte) [][]byte {
	var chunks [][]byte
	begin, hash := 0, uint64(0)
	for i, b := range data {
		hash = hash<<1 + gear[b]
		size := i + 1 - begin
		if size >= least && hash&mask == 0 || size >= most {
			chunks = append(chunks, data[begin:i+1])
			begin, hash = i+1, 0
		}
	}
	if begin < len(data) {
		chunks = append(chunks, data[begin:])
	}
	return chunks
}

// Share returns the share of the bytes of later that are in chunks of earlier.
func Share(earlier, later []byte) float64 {
	known := map[[32]byte]bool{}
	for _, chunk := range Cut(earlier) {
		known[sha256.Sum256(chunk)] = true
	}
	found := 0
	for _, chunk := range Cut(later) {
		if known[sha256.Sum256(chunk)] {
			found += len(chunk)
		}
	}
	return float64(found) / float64(max(len(later), 1))
}
