package parquetio

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// A whole file with more row groups than are read is not called damaged.
func TestTooManyRowGroups(t *testing.T) {
	chunk := format.ColumnChunk{MetaData: format.ColumnMetaData{PathInSchema: []string{"v"}, Encoding: []format.Encoding{format.Plain}, DataPageOffset: 4}}
	var meta format.FileMetaData
	meta.Schema = []format.SchemaElement{{Name: "v"}}
	meta.RowGroups = slices.Repeat([]format.RowGroup{{Columns: []format.ColumnChunk{chunk}}}, thriftElements/4+1)
	footer := thriftBytes(t, &meta)
	file := binary.LittleEndian.AppendUint32(append([]byte("PAR1"), footer...), uint32(len(footer)))
	file = append(file, "PAR1"...)
	_, err := Open(bytes.NewReader(file), int64(len(file)), Limits{})
	if err == nil || !strings.Contains(err.Error(), "write the file with larger row groups") {
		t.Errorf("opening: %v", err)
	}
}

// FuzzThriftSize walks over any bytes: the size is within them.
func FuzzThriftSize(f *testing.F) {
	f.Add([]byte{0x15, 0x02, 0x19, 0x4c, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := thriftSize(data); err == nil && (n < 1 || n > len(data)) {
			t.Errorf("%d of %d bytes", n, len(data))
		}
	})
}
