package metrics

import (
	"encoding/binary"
	"hash/crc32"
)

// writeRecord appends a TFRecord: the length, its checksum, the data, its checksum, all
// little-endian.
func (b *Board) writeRecord(data []byte) error {
	var head [12]byte
	binary.LittleEndian.PutUint64(head[:8], uint64(len(data)))
	binary.LittleEndian.PutUint32(head[8:], maskedCRC(head[:8]))
	var foot [4]byte
	binary.LittleEndian.PutUint32(foot[:], maskedCRC(data))
	for _, part := range [][]byte{head[:], data, foot[:]} {
		if _, err := b.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// maskedCRC returns the CRC-32C of data, rotated and with an offset as TFRecord requires.
func maskedCRC(data []byte) uint32 {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return (sum>>15 | sum<<17) + 0xa282ead8
}
