package parquetio

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A column that is nested too deep is named; its schema is not damaged.
func TestDeepColumns(t *testing.T) {
	for depth, want := range map[int]string{30: "", 70: `column "a" is nested more than 32 deep`} {
		node := parquet.Node(parquet.Leaf(parquet.ByteArrayType))
		for range depth {
			node = parquet.Group{"a": node}
		}
		var b bytes.Buffer
		if err := parquet.NewWriter(&b, parquet.NewSchema("deep", parquet.Group{"a": node})).Close(); err != nil {
			t.Fatal(err)
		}
		_, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()), Limits{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
}
