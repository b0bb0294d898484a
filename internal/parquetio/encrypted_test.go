package parquetio

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

// TestEncryptedFiles opens files that pyarrow encrypted: the columns and the footer, and a column
// alone.
func TestEncryptedFiles(t *testing.T) {
	for _, name := range []string{"footer", "plain-footer"} {
		data, err := os.ReadFile("testdata/encrypted/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(bytes.NewReader(data), int64(len(data)), Limits{}); !errors.Is(err, errEncrypted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
