package schemas

import "testing"

// FuzzThriftSize walks over any bytes: the size is within them.
func FuzzThriftSize(f *testing.F) {
	f.Add([]byte{0x15, 0x02, 0x19, 0x4c, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := thriftSize(data); err == nil && (n < 1 || n > len(data)) {
			t.Errorf("%d of %d bytes", n, len(data))
		}
	})
}
