package metrics

import (
	"encoding/binary"
	"hash/crc32"
)

// record appends a TFRecord: the length, its checksum, the data, its checksum,
// all little-endian.
func (b *Board) record(data []byte) error {
	var head [12]byte
	binary.LittleEndian.PutUint64(head[:8], uint64(len(data)))
	binary.LittleEndian.PutUint32(head[8:], masked(head[:8]))
	var foot [4]byte
	binary.LittleEndian.PutUint32(foot[:], masked(data))
	for _, part := range [][]byte{head[:], data, foot[:]} {
		if _, err := b.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// masked is the CRC-32C of data, turned and moved so that the checksum of data
// that holds checksums is sound, as TFRecord has it.
func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return (sum>>15 | sum<<17) + 0xa282ead8
}
