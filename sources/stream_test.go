package sources

import (
	"strings"
	"testing"

	"capgraph/schemas"
)

// What is no text is not read as such, also where it is compressed.
func TestOtherFormsAreNotTakenForText(t *testing.T) {
	parquet := parquetOf(t, webRows(3))
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"Parquet", "is Parquet and no text (set source.format: parquet)", parquet},
		{"Parquet in gzip", "is Parquet and no text", gzipped(t, parquet)},
		{"bzip2", "is compressed with bzip2 and no text (decompress it", []byte("BZh91AY&SY\x00\x01")},
		{"xz", "is compressed with xz and no text", []byte("\xfd7zXZ\x00\x00\x04")},
		{"zip", "is a zip archive and no text (unpack it)", []byte("PK\x03\x04\x14\x00")},
	} {
		for _, format := range []string{"cc12m", "jsonl", "coco", "karpathy"} {
			if _, err := open(t, write(t, format, c.data), schemas.Position{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s as %s: %v, want %q", c.name, format, err, c.want)
			}
		}
	}
	rows, _, err := read(t, write(t, "cc3m", []byte("PAR1 and BZh are marks\tu\nBZh91\tu\n")), schemas.Position{})
	if err != nil || len(rows) != 2 || rows[1].Caption != "BZh91" {
		t.Errorf("text is read as %+v, %v", rows, err)
	}
}
