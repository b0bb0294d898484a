package parquetio

import (
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

// TestReadDelta adds up lengths that the encoder of parquet-go has written.
func TestReadDelta(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 700 {
		values, want := make([]int32, n), int64(0)
		for i := range values {
			values[i] = int32(random.IntN(1 << random.IntN(20)))
			want += int64(values[i])
		}
		var packed delta.BinaryPackedEncoding
		data, err := packed.EncodeInt32(nil, values)
		if err != nil {
			t.Fatal(err)
		}
		sum, rest, err := readDelta(append(data, "rest"...), int64(n), true)
		if err != nil || sum != want || string(rest) != "rest" {
			t.Fatalf("%d values: %d, want %d; %d bytes left, %v", n, sum, want, len(rest), err)
		}
		if n == 0 {
			continue
		}
		if _, _, err := readDelta(data, int64(n-1), true); err == nil {
			t.Fatalf("%d values passed for %d", n, n-1)
		}
	}
}

func FuzzReadDelta(f *testing.F) {
	f.Add([]byte{0x80, 1, 4, 5, 6, 0, 0, 0, 0, 0}, int64(10))
	f.Fuzz(func(t *testing.T, data []byte, n int64) {
		if sum, rest, err := readDelta(data, n%(1<<16), true); err == nil && (sum < 0 || len(rest) > len(data)) {
			t.Errorf("sum %d, %d bytes left of %d", sum, len(rest), len(data))
		}
	})
}
