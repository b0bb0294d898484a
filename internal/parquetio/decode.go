package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// pageDecoder decodes the pages of a column, and reuses its memory for each. A page has levels for
// each entry, and a value for each entry with the greatest definition level.
type pageDecoder struct {
	column     parquet.Type
	max        level
	pageBytes  int64
	dictionary *encoding.Values

	entries  int
	rep, def []byte // nil if the greatest level is 0
	source   pageValues

	indexes []int32
	values  []byte
	offsets []uint32
}

var errLevels = errors.New("a page's levels are damaged")

// cutLevels divides a page into its levels, which are preceded by their length, and the rest.
func cutLevels(data []byte, e format.Encoding) (levels, rest []byte, err error) {
	if e != format.RLE {
		return nil, nil, fmt.Errorf("a page's levels are encoded as %s, which is not read", e)
	}
	if len(data) < 4 || int64(binary.LittleEndian.Uint32(data)) > int64(len(data)-4) {
		return nil, nil, errLevels
	}
	n := binary.LittleEndian.Uint32(data)
	return data[4:][:n], data[4+n:], nil
}

func decodeLevels(dst, data []byte, greatest byte, n int) ([]byte, error) {
	if greatest == 0 {
		return nil, nil
	}
	width := bits.Len8(greatest)
	if err := checkRuns(data, width, n); err != nil {
		return nil, err
	}
	dst, err := (&rle.Encoding{BitWidth: width}).DecodeLevels(dst[:0], data)
	if err != nil {
		return nil, err
	}
	if len(dst) < n {
		return nil, errLevels
	}
	return dst[:n], nil
}

// decodeEntries decodes a page of n entries.
func (d *pageDecoder) decodeEntries(n int, rep, def []byte, e format.Encoding, data []byte) (err error) {
	d.entries, d.source = n, pageValues{}
	if d.rep, err = decodeLevels(d.rep, rep, d.max.rep, n); err != nil {
		return err
	}
	if d.def, err = decodeLevels(d.def, def, d.max.def, n); err != nil {
		return err
	}
	for _, l := range d.def {
		if l != d.max.def {
			n--
		}
	}
	if n == 0 {
		return nil
	}
	if isDictionary(e) {
		return d.decodeIndexes(n, data)
	}
	return d.decodeValues(n, e, data)
}

func (d *pageDecoder) decodeIndexes(n int, data []byte) (err error) {
	if d.dictionary == nil {
		return errors.New("a page indexes a dictionary that is missing")
	}
	if len(data) == 0 || data[0] > 32 {
		return errRuns
	}
	if err := checkRuns(data[1:], int(data[0]), n); err != nil {
		return err
	}
	if d.indexes, err = parquet.RLEDictionary.DecodeInt32(d.indexes[:cap(d.indexes)], data); err != nil {
		return err
	}
	if len(d.indexes) < n {
		return fmt.Errorf("a page of %d values has %d", n, len(d.indexes))
	}
	d.source = pageValues{values: *d.dictionary, indexes: d.indexes, indexed: true}
	return nil
}

func (d *pageDecoder) decodeValues(n int, e format.Encoding, data []byte) error {
	switch e {
	case format.Plain, format.ByteStreamSplit:
	case format.RLE: // of booleans
		if len(data) < 4 {
			return errRuns
		}
		if err := checkRuns(data[4:], 1, n); err != nil {
			return err
		}
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		if err := checkDelta(e, data, int64(n), d.pageBytes); err != nil {
			return err
		}
	default:
		return fmt.Errorf("a page is encoded as %s, which is not read", e)
	}
	codec := parquet.LookupEncoding(e)
	into := data
	if !codec.CanDecodeInPlace() {
		size := d.column.EstimateDecodeSize(n, data, codec)
		if cap(d.values) < size {
			d.values = make([]byte, size)
		}
		into = d.values[:size]
	}
	var offsets []uint32
	if d.column.Kind() == parquet.ByteArray {
		if cap(d.offsets) <= n {
			d.offsets = make([]uint32, n+1)
		}
		offsets = d.offsets[:0]
	}
	values, err := d.column.Decode(d.column.NewValues(into, offsets), data, codec)
	if err != nil {
		return err
	}
	d.source = pageValues{values: values}
	if got := valueCount(d.column, &d.source); got < n {
		return fmt.Errorf("a page of %d values has %d", n, got)
	}
	return nil
}

// readDictionary decodes a dictionary page. The dictionary refers to data, which must not be
// changed.
func (d *pageDecoder) readDictionary(data []byte) error {
	var offsets []uint32
	if d.column.Kind() == parquet.ByteArray {
		offsets = []uint32{}
	}
	values, err := d.column.Decode(d.column.NewValues(data, offsets), data, &parquet.Plain)
	d.dictionary = &values
	return err
}

var errRuns = errors.New("a page's runs are damaged")

// runSlack is by how much the number of values in runs may exceed that of the page: bit-packed runs
// have a multiple of 8 values.
const runSlack = 512

// checkRuns returns an error if runs of width bits, in Parquet's RLE and bit-packed form, hold more
// than n values. A few bytes can stand for any number of values.
func checkRuns(data []byte, width, n int) error {
	left := uint64(n) + runSlack
	for len(data) > 0 {
		head, size := binary.Uvarint(data)
		if size <= 0 {
			return errRuns
		}
		data = data[size:]
		count, stored := head>>1, uint64(width+7)/8
		if head&1 == 1 {
			if count > left/8 {
				return errRuns
			}
			count, stored = 8*count, count*uint64(width)
		}
		if count > left || count > 0 && stored > uint64(len(data)) {
			return errRuns
		}
		left -= count
		if count > 0 {
			data = data[stored:]
		}
	}
	return nil
}
