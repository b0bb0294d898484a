package parquetio

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// bomb is a small file that claims to be a large one.
type bomb struct {
	name, want string
	file       []byte
}

func thriftBytes(t testing.TB, v any) []byte {
	b, err := thrift.Marshal(&thrift.CompactProtocol{}, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onePage is a file of one column of texts: the pages as they are given.
func onePage(t testing.TB, r format.FieldRepetitionType, codec format.CompressionCodec, rows int64, pages ...[]byte) []byte {
	return manyValues(t, r, codec, rows, rows, pages...)
}

// manyValues is onePage if there are other values than rows: the column repeats.
func manyValues(t testing.TB, r format.FieldRepetitionType, codec format.CompressionCodec, rows, values int64, pages ...[]byte) []byte {
	file := append([]byte("PAR1"), bytes.Join(pages, nil)...)
	var meta format.FileMetaData
	meta.NumRows = rows
	meta.Schema = make([]format.SchemaElement, 2)
	meta.Schema[0].Name = "root"
	meta.Schema[0].NumChildren = thrift.New[int32](1)
	meta.Schema[1].Name = "v"
	meta.Schema[1].Type = thrift.New(format.ByteArray)
	meta.Schema[1].RepetitionType = thrift.New(r)
	var chunk format.ColumnChunk
	chunk.MetaData = format.ColumnMetaData{
		Type: format.ByteArray, PathInSchema: []string{"v"}, Codec: codec, NumValues: values,
		DataPageOffset: 4, TotalCompressedSize: int64(len(file) - 4),
	}
	meta.RowGroups = []format.RowGroup{{Columns: []format.ColumnChunk{chunk}, NumRows: rows}}
	footer := thriftBytes(t, &meta)
	file = append(file, footer...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
	return append(file, "PAR1"...)
}

// v1 is a data page of n values.
func v1(t testing.TB, n int32, e format.Encoding, unpacked int, body []byte) []byte {
	h := &format.PageHeader{Type: format.DataPage, CompressedPageSize: int32(len(body)), UncompressedPageSize: int32(unpacked)}
	h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: n, Encoding: e, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
	return append(thriftBytes(t, h), body...)
}

func bombFiles(t testing.TB) []bomb {
	// A run of 2³¹−1 equal values of one byte.
	run := append(binary.AppendUvarint(nil, (1<<31-1)<<1), 1)
	runs := slices.Repeat(run, 1000)
	levels := append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
	numbers := func(total, first uint64, length int) (b []byte) {
		for _, v := range []uint64{128, 4, total, first << 1} {
			b = binary.AppendUvarint(b, v)
		}
		return append(b, make([]byte, length)...)
	}
	const many = 1 << 17
	lengths := append(numbers(many, 60_000, 5*many/128), numbers(many, 0, 5*many/128)...)
	dictionary := []byte{1, 0, 0, 0, 'x'}
	h := &format.PageHeader{Type: format.DictionaryPage, CompressedPageSize: int32(len(dictionary)), UncompressedPageSize: int32(len(dictionary))}
	h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: 1})
	one := append(thriftBytes(t, h), dictionary...)
	h.DictionaryPageHeader.V.Encoding = format.DeltaByteArray
	delta := append(thriftBytes(t, h), dictionary...)
	v2 := &format.PageHeader{Type: format.DataPageV2, CompressedPageSize: 5, UncompressedPageSize: 5}
	v2.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{NumValues: 1, NumNulls: -1 << 31, NumRows: 1, RepetitionLevelsByteLength: -1})
	var zeros bytes.Buffer // a stream, whose frame does not say its size
	z, _ := zstd.NewWriter(&zeros)
	for range 64 {
		z.Write(make([]byte, 1<<20))
		z.Flush()
	}
	z.Close()
	footer := []byte{0x15, 0x02, 0x39, 0xfc, 0x80, 0x94, 0xeb, 0xdc, 0x03}
	claims := append(append([]byte("PAR1"), footer...), byte(len(footer)), 0, 0, 0)
	return []bomb{
		{"indexes", "runs are damaged", onePage(t, format.Required, format.Uncompressed, 3, one, v1(t, 3, format.RLEDictionary, 7, append([]byte{1}, run...)))},
		{"packed indexes", "runs are damaged", onePage(t, format.Required, format.Uncompressed, 3, one, v1(t, 3, format.RLEDictionary, 6, append([]byte{1}, binary.AppendUvarint(nil, 1<<32-1)...)))},
		{"levels", "runs are damaged", onePage(t, format.Optional, format.Uncompressed, 3, v1(t, 3, format.Plain, len(levels), levels))},
		{"repetitions", "runs are damaged", onePage(t, format.Repeated, format.Uncompressed, 3, v1(t, 3, format.Plain, 2*len(levels), append(levels, levels...)))},
		{"lengths", "delta encoding is damaged", onePage(t, format.Required, format.Uncompressed, many, v1(t, many, format.DeltaLengthByteArray, 20, numbers(1<<31-1, 0, 12)))},
		{"prefixes", "bytes, decoded", onePage(t, format.Required, format.Uncompressed, many, v1(t, many, format.DeltaByteArray, len(lengths), lengths))},
		{"a dictionary of prefixes", "a dictionary is encoded as", onePage(t, format.Required, format.Uncompressed, 3, delta, v1(t, 3, format.RLEDictionary, 1, []byte{1}))},
		{"nulls", "bytes of levels", onePage(t, format.Optional, format.Uncompressed, 1, append(thriftBytes(t, v2), 0, 0, 0, 0, 0))},
		{"zeros", "has others", onePage(t, format.Required, format.Zstd, 3, v1(t, 3, format.Plain, 20, zeros.Bytes()))},
		{"a gzip page", "at most", onePage(t, format.Required, format.Gzip, 3, v1(t, 3, format.Plain, 1<<20, []byte{0x1f, 0x8b, 8}))},
		{"an index without a dictionary", "is missing", onePage(t, format.Required, format.Uncompressed, 3, v1(t, 3, format.RLEDictionary, 3, []byte{1, 6, 0}))},
		{"row groups", "claims more than there is", append(claims, "PAR1"...)},
	}
}

// Files of a few kilobytes that claim gigabytes are errors, not memory.
func TestBombs(t *testing.T) {
	for _, b := range bombFiles(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readAll(t, b.file, 0)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("%s: %v, want %q", b.name, err, b.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
			t.Errorf("%s: %d MB were allocated for a file of %d bytes", b.name, n>>20, len(b.file))
		}
	}
}
