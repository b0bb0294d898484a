// Package bombs makes small files that become large when they are decompressed or decoded, for
// tests of how much memory readers allocate.
package bombs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Column is a string column of a Parquet file whose rows all have the same value.
type Column struct {
	Name string
	Size int // of the value in bytes
}

// Parquet returns a Parquet file with that many rows. Each column's value is stored once, in a dictionary.
func Parquet(rows int, columns ...Column) ([]byte, error) {
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		return nil, err
	}
	defer packer.Close()
	file := []byte("PAR1")
	meta := format.FileMetaData{Version: 1, NumRows: int64(rows)}
	meta.Schema = []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(len(columns)))}}
	group := format.RowGroup{NumRows: int64(rows)}
	for _, c := range columns {
		begin := len(file)
		for _, page := range []page{dictionaryPage(c.Size), indexPage(rows)} {
			packed := packer.EncodeAll(page.body, nil)
			page.head.CompressedPageSize, page.head.UncompressedPageSize = int32(len(packed)), int32(len(page.body))
			head, err := thrift.Marshal(&thrift.CompactProtocol{}, &page.head)
			if err != nil {
				return nil, err
			}
			file = append(append(file, head...), packed...)
		}
		meta.Schema = append(meta.Schema, format.SchemaElement{
			Name: c.Name, Type: thrift.New(format.ByteArray), RepetitionType: thrift.New(format.Required),
			LogicalType: format.LogicalType{Value: new(format.StringType)},
		})
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
			Type: format.ByteArray, PathInSchema: []string{c.Name}, Codec: format.Zstd, NumValues: int64(rows),
			DataPageOffset: int64(begin), DictionaryPageOffset: int64(begin), TotalCompressedSize: int64(len(file) - begin),
			Encoding: []format.Encoding{format.Plain, format.RLEDictionary},
		}})
	}
	meta.RowGroups = []format.RowGroup{group}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, &meta)
	if err != nil {
		return nil, err
	}
	file = append(file, footer...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
	return append(file, "PAR1"...), nil
}

// page is an uncompressed page of a column.
type page struct {
	head format.PageHeader
	body []byte
}

// dictionaryPage returns a dictionary page with one value of that size.
func dictionaryPage(size int) page {
	p := page{body: append(binary.LittleEndian.AppendUint32(nil, uint32(size)), Sentence(size)...)}
	p.head.Type = format.DictionaryPage
	p.head.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: 1})
	return p
}

// indexPage returns a data page in which the indexes of all rows are 0, one bit each.
func indexPage(rows int) page {
	p := page{body: append(binary.AppendUvarint([]byte{1}, uint64(rows)<<1), 0)}
	p.head.Type = format.DataPage
	p.head.DataPageHeader = thrift.New(format.DataPageHeader{
		NumValues: int32(rows), Encoding: format.RLEDictionary,
		DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
	})
	return p
}

// Lines returns a gzip-compressed TSV with that many rows of a URL and a caption of size bytes.
func Lines(size, rows int) ([]byte, error) {
	var file bytes.Buffer
	w := gzip.NewWriter(&file)
	caption := Sentence(size)
	for i := range rows {
		if _, err := fmt.Fprintf(w, "https://a.example/%d.jpg\t", i); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, caption+"\n"); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// Sentence returns a text of words of that size in bytes.
func Sentence(size int) string {
	const words = "a red bus beside a small dog "
	text := make([]byte, size)
	for i := range text {
		text[i] = words[i%len(words)]
	}
	return string(text)
}
