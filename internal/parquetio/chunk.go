package parquetio

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// chunkReader reads the pages of a column chunk. parquet-go decodes their values, and would
// allocate whatever size a page states. So the sizes are checked first.
type chunkReader struct {
	file    io.ReaderAt
	codec   format.CompressionCodec
	limits  Limits
	unpack  *decompressor
	decoder pageDecoder

	at, end int64 // bytes of the file
	rows    int64 // of the row group
	left    int64 // values that are not decoded yet

	window   []byte // bytes of the file from windowAt on
	windowAt int64
	unpacked []byte
	held     [2]int64 // the largest page and the largest dictionary so far, in bytes
}

const (
	windowBytes   = 64 << 10 // read at once
	headerBytes   = 1 << 10  // read at first for a header; few are longer
	maxPageHeader = 16 << 20 // a header has the smallest and the largest value of its page
)

// openChunk begins a column chunk of a row group with rows rows.
func (c *chunkReader) openChunk(m *format.ColumnMetaData, rows int64) {
	begin, n := chunkBounds(m)
	c.codec, c.rows, c.left = m.Codec, rows, m.NumValues
	c.at, c.end = begin, begin+n
	c.decoder.dictionary = nil
	c.window = c.window[:0]
}

// nextPage decodes the next page with data. It returns io.EOF after the last.
func (c *chunkReader) nextPage() error {
	for c.at < c.end && c.left > 0 {
		h, size, err := c.readHeader()
		if err != nil {
			return err
		}
		body, err := c.readBody(h, size)
		if err != nil {
			return err
		}
		c.at += int64(size) + int64(h.CompressedPageSize)
		switch h.Type {
		case format.DictionaryPage:
			err = c.decodeDictionary(h, body)
		case format.DataPage:
			return c.decodePage(h, body)
		case format.DataPageV2:
			return c.decodePageV2(h, body)
		}
		if err != nil {
			return err
		}
	}
	return io.EOF
}

// readHeader returns the header of the page at c.at, and the length of the header.
func (c *chunkReader) readHeader() (*format.PageHeader, int, error) {
	left := c.end - c.at
	for n := int64(headerBytes); ; n *= 8 {
		n = min(n, left, maxPageHeader)
		b, err := c.readBytes(c.at, n)
		if err != nil {
			return nil, 0, err
		}
		size, err := thriftSize(b)
		if (errors.Is(err, errThriftEnd) || errors.Is(err, errThriftLength)) && n < left && n < maxPageHeader {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		h := new(format.PageHeader)
		return h, size, thrift.Unmarshal(&thrift.CompactProtocol{}, b[:size], h)
	}
}

// readBytes returns n bytes of the file from at on. They are valid until the next call.
func (c *chunkReader) readBytes(at, n int64) ([]byte, error) {
	if skip := at - c.windowAt; skip >= 0 && skip+n <= int64(len(c.window)) {
		return c.window[skip:][:n], nil
	}
	size := max(n, min(windowBytes, c.end-at))
	if int64(cap(c.window)) < size {
		c.window = make([]byte, size)
	}
	c.window, c.windowAt = c.window[:size], at
	if got, err := c.file.ReadAt(c.window, at); err != nil && (got < len(c.window) || !errors.Is(err, io.EOF)) {
		c.window = c.window[:0]
		return nil, err
	}
	return c.window[:n], nil
}

// readBody returns the part of a page after its header, of size bytes, and checks the sizes that
// the header states.
func (c *chunkReader) readBody(h *format.PageHeader, size int) ([]byte, error) {
	packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	begin := c.at + int64(size)
	if packed < 0 || packed > c.end-begin || unpacked < 0 {
		return nil, fmt.Errorf("a page claims %d bytes, %d decompressed", packed, unpacked)
	}
	if max(packed, unpacked) > c.limits.PageBytes {
		return nil, fmt.Errorf("a page claims %d bytes, %d decompressed, and at most %d are read: it is damaged, or has a value that is too large", packed, unpacked, c.limits.PageBytes)
	}
	values := int64(0)
	switch h.Type {
	case format.DataPage:
		values = int64(h.DataPageHeader.V.NumValues)
	case format.DataPageV2:
		values = int64(h.DataPageHeaderV2.V.NumValues)
	case format.DictionaryPage:
		values = int64(h.DictionaryPageHeader.V.NumValues)
	}
	flat := c.decoder.max.rep == 0 && h.Type != format.DictionaryPage
	if values < 0 || values > c.limits.PageValues || flat && values > c.rows {
		return nil, fmt.Errorf("a page claims %d values", values)
	}
	if err := c.checkMemory(h.Type == format.DictionaryPage, max(packed, unpacked)); err != nil {
		return nil, err
	}
	b, err := c.readBytes(begin, packed)
	if err != nil {
		return nil, err
	}
	if sum := crc32.ChecksumIEEE(b); h.CRC != 0 && uint32(h.CRC) != sum {
		return nil, fmt.Errorf("a page has the checksum %08x, not %08x: the file is damaged", sum, uint32(h.CRC))
	}
	return b, nil
}

// checkMemory counts the memory for a page or dictionary of n bytes. It returns an error if all columns hold more than
// the limit.
func (c *chunkReader) checkMemory(dictionary bool, n int64) error {
	of := &c.held[0]
	if dictionary {
		of = &c.held[1]
	}
	if n <= *of {
		return nil
	}
	c.unpack.held += n - *of
	*of = n
	if c.unpack.held > c.limits.HeldBytes {
		return fmt.Errorf("the pages of the columns have more than %d bytes: read fewer columns", c.limits.HeldBytes)
	}
	return nil
}

// decodeDictionary decodes the dictionary page, to whose values the other pages of the chunk refer.
func (c *chunkReader) decodeDictionary(h *format.PageHeader, body []byte) error {
	if e := h.DictionaryPageHeader.V.Encoding; e != format.Plain && e != plainDictionary {
		return fmt.Errorf("a dictionary is encoded as %s, which is not read", e)
	}
	data, err := c.unpack.decompress(nil, c.codec, body, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	if c.codec == format.Uncompressed {
		data = append([]byte(nil), data...)
	}
	return c.decoder.readDictionary(data)
}

func (c *chunkReader) decodePage(h *format.PageHeader, body []byte) error {
	v1 := &h.DataPageHeader.V
	c.left -= int64(v1.NumValues)
	data, err := c.decompressPage(body, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	var rep, def []byte
	if c.decoder.max.rep > 0 {
		if rep, data, err = cutLevels(data, v1.RepetitionLevelEncoding); err != nil {
			return err
		}
	}
	if c.decoder.max.def > 0 {
		if def, data, err = cutLevels(data, v1.DefinitionLevelEncoding); err != nil {
			return err
		}
	}
	return c.decoder.decodeEntries(int(v1.NumValues), rep, def, v1.Encoding, data)
}

func (c *chunkReader) decodePageV2(h *format.PageHeader, body []byte) error {
	v2 := &h.DataPageHeaderV2.V
	c.left -= int64(v2.NumValues)
	rep, def := int(v2.RepetitionLevelsByteLength), int(v2.DefinitionLevelsByteLength)
	unpacked := int(h.UncompressedPageSize) - rep - def
	if rep < 0 || def < 0 || rep+def > len(body) || unpacked < 0 {
		return fmt.Errorf("a page of %d bytes claims %d and %d bytes of levels", len(body), rep, def)
	}
	data := body[rep+def:]
	if !v2.IsCompressed.Valid || v2.IsCompressed.V {
		var err error
		if data, err = c.decompressPage(data, unpacked); err != nil {
			return err
		}
	}
	return c.decoder.decodeEntries(int(v2.NumValues), body[:rep], body[rep:rep+def], v2.Encoding, data)
}

func (c *chunkReader) decompressPage(body []byte, size int) ([]byte, error) {
	data, err := c.unpack.decompress(c.unpacked, c.codec, body, size)
	if c.codec != format.Uncompressed && err == nil {
		c.unpacked = data
	}
	return data, err
}

// plainDictionary is what writers before format version 2 call the dictionary encoding.
const plainDictionary = format.Encoding(2)

// isDictionary reports whether pages of an encoding index a dictionary.
func isDictionary(e format.Encoding) bool {
	return e == plainDictionary || e == format.RLEDictionary
}

// valueCount returns the number of decoded values of a page, which are of a column of type t.
func valueCount(t parquet.Type, p *pageValues) int {
	v := &p.values
	switch t.Kind() {
	case parquet.Boolean:
		return 8 * len(v.Boolean())
	case parquet.Int32:
		return len(v.Int32())
	case parquet.Int64:
		return len(v.Int64())
	case parquet.Int96:
		return len(v.Int96())
	case parquet.Float:
		return len(v.Float())
	case parquet.Double:
		return len(v.Double())
	case parquet.FixedLenByteArray:
		data, size := v.FixedLenByteArray()
		return len(data) / size
	}
	_, offsets := v.ByteArray()
	return len(offsets) - 1
}
