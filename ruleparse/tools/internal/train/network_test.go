package train

import (
	"bytes"
	"compress/gzip"
	"testing"
)

func TestNetworkIsLeftOutOrRead(t *testing.T) {
	if b, err := unzipNetwork(Options{}, 3); b != nil || err != nil {
		t.Errorf("without one: %d bytes, %v", len(b), err)
	}
	var other bytes.Buffer
	z := gzip.NewWriter(&other)
	z.Write([]byte("\x00\x00\x00\x3f and no network"))
	z.Close()
	for _, bad := range [][]byte{[]byte("no gzip"), other.Bytes(), other.Bytes()[:len(other.Bytes())-4]} {
		if _, err := unzipNetwork(Options{Network: bad}, 3); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
