package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

var errDelta = errors.New("a page's delta encoding is damaged")

// checkDelta checks the numbers that a page in a delta encoding states: a few bytes can stand for
// any number of values of any length, which the decoder would allocate. n is the number of values,
// limit the largest number of decoded bytes.
func checkDelta(encoding format.Encoding, data []byte, n, limit int64) error {
	first, rest, err := readDelta(data, n, encoding != format.DeltaBinaryPacked)
	if err != nil {
		return err
	}
	switch encoding {
	case format.DeltaLengthByteArray:
		if first > int64(len(rest)) {
			return errDelta
		}
	case format.DeltaByteArray:
		suffixes, rest, err := readDelta(rest, n, true)
		if err != nil {
			return err
		}
		if suffixes > int64(len(rest)) {
			return errDelta
		}
		if first+suffixes > limit {
			return fmt.Errorf("a page claims %d bytes, decoded", first+suffixes)
		}
	}
	return nil
}

// readDelta reads at most n numbers in Parquet's DELTA_BINARY_PACKED form. It returns their sum, if
// they are lengths, and the rest of data.
func readDelta(data []byte, n int64, lengths bool) (sum int64, rest []byte, err error) {
	var head [4]uint64 // values per block, miniblocks per block, values, first value
	for i := range head {
		v, size := binary.Uvarint(data)
		if size <= 0 {
			return 0, nil, errDelta
		}
		head[i], data = v, data[size:]
	}
	block, minis, total := head[0], head[1], head[2]
	if block == 0 || block > 1<<20 || minis == 0 || minis > block || block%minis != 0 || total > uint64(n) {
		return 0, nil, errDelta
	}
	if !lengths || total == 0 {
		return 0, data, nil
	}
	value := int32(unzigzag(head[3]))
	sum = int64(value)
	for left := int(total) - 1; left > 0 && value >= 0; {
		least, size := binary.Uvarint(data)
		if size <= 0 || len(data)-size < int(minis) {
			return 0, nil, errDelta
		}
		widths := data[size : size+int(minis)]
		data = data[size+int(minis):]
		for _, width := range widths {
			if left == 0 {
				break
			}
			packed := data[:min(len(data), int(block/minis)*int(width)/8)]
			data = data[len(packed):]
			for i := 0; i < int(block/minis) && left > 0 && value >= 0; i++ {
				value += int32(unzigzag(least)) + int32(unpackBits(packed, i*int(width), int(width)))
				sum += int64(value)
				left--
			}
		}
	}
	if value < 0 {
		return 0, nil, errDelta
	}
	return sum, data, nil
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// unpackBits returns the number in the width bits of data from bit at on. Missing bits are 0.
func unpackBits(data []byte, at, width int) (v uint64) {
	for i := 0; i < width; {
		if at/8 >= len(data) {
			return v
		}
		n := min(8-at%8, width-i)
		bits := uint64(data[at/8]>>(at%8)) & (1<<n - 1)
		v |= bits << i
		at += n
		i += n
	}
	return v
}
