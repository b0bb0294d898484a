package parquetio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// decompressor decompresses the pages of all columns. A page that would become larger than it
// states is an error.
type decompressor struct {
	zstd *zstd.Decoder
	held int64 // bytes that the pages and dictionaries of all columns hold
}

// decompress returns data decompressed, which must give size bytes. It uses buf if that is large
// enough. Data that is not compressed is returned unchanged.
func (u *decompressor) decompress(buf []byte, codec format.CompressionCodec, data []byte, size int) ([]byte, error) {
	if codec == format.Uncompressed || size == 0 && len(data) == 0 {
		return data, nil
	}
	if most := mostBytes(codec, data); size > most {
		return nil, fmt.Errorf("a page claims %d bytes; it has %d at most", size, most)
	}
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	// The capacity is limited to size, so that no codec writes more.
	n, err := u.decompressInto(buf[:size:size], codec, data)
	if errors.Is(err, errTooLarge) || err == nil && n != size {
		return nil, fmt.Errorf("a page claims %d bytes and has others", size)
	}
	if err != nil {
		return nil, fmt.Errorf("a page does not decompress: %w", err)
	}
	return buf[:size], nil
}

var errTooLarge = errors.New("larger than it says")

// mostBytes returns the largest size that data can have decompressed, from the codec's best ratio:
// deflate repeats 258 bytes in 2 bits, LZ4 255 in a byte, snappy 64 in 3 bytes. Other codecs have
// no limit.
func mostBytes(codec format.CompressionCodec, data []byte) int {
	switch codec {
	case format.Gzip:
		return 1032 * len(data)
	case format.Lz4Raw:
		return 255*len(data) + 64
	case format.Snappy:
		return 22*len(data) + 64
	}
	return int(^uint(0) >> 1)
}

func (u *decompressor) decompressInto(buf []byte, codec format.CompressionCodec, data []byte) (int, error) {
	switch codec {
	case format.Snappy:
		n, err := snappy.DecodedLen(data)
		if err != nil || n != len(buf) {
			return n, err
		}
		_, err = snappy.Decode(buf, data)
		return n, err
	case format.Zstd:
		if u.zstd == nil {
			var err error
			u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
			if err != nil {
				return 0, err
			}
		}
		out, err := u.zstd.DecodeAll(data, buf[:0])
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			err = errTooLarge
		}
		return len(out), err
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return 0, err
		}
		return readExactly(r, buf)
	case format.Brotli:
		return readExactly(brotli.NewReader(bytes.NewReader(data)), buf)
	case format.Lz4Raw:
		return lz4.UncompressBlock(data, buf)
	}
	return 0, fmt.Errorf("it is compressed with %s, which is not read", codec)
}

// readExactly fills buf from r. It returns an error unless r ends there.
func readExactly(r io.Reader, buf []byte) (int, error) {
	n, err := io.ReadFull(r, buf)
	if err != nil {
		return n, err
	}
	var more [1]byte
	switch _, err := io.ReadFull(r, more[:]); {
	case err == nil:
		return n, errTooLarge
	case !errors.Is(err, io.EOF):
		return n, err
	}
	return n, nil
}

func (u *decompressor) close() {
	if u.zstd != nil {
		u.zstd.Close()
		u.zstd = nil
	}
}
