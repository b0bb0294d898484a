package counts

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"testing"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	bytes int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.bytes += int64(n)
	return n, err
}

// aRun has rows of three kinds: of drop the keys of even numbers below 2·drops.
func aRun(t *testing.T, drops int) []byte {
	t.Helper()
	var out bytes.Buffer
	err := Write(&out, func(yield func(schemas.Count, error) bool) {
		for _, kind := range []string{"a", "drop", "z"} {
			n := 3
			if kind == "drop" {
				n = drops
			}
			for i := range n {
				if !yield(schemas.Count{Kind: kind, Key: fmt.Sprintf("%09d", 2*i), N: 1}, nil) {
					return
				}
			}
		}
	}, parquetio.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func keysOf(t *testing.T, rows iter.Seq2[schemas.Count, error]) (keys []string) {
	t.Helper()
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		if row.Kind != "drop" {
			t.Errorf("a row of kind %s", row.Kind)
		}
		keys = append(keys, row.Key)
	}
	return keys
}

func TestReadRange(t *testing.T) {
	const drops = 300_000
	run := aRun(t, drops)
	for _, c := range []struct {
		first, last string
		n           int
		begins      string
	}{
		{"", "~", drops, "000000000"},
		{"000000000", "000000000", 1, "000000000"},
		{"000300001", "000300001", 0, ""}, // between two keys
		{"000300001", "000300005", 2, "000300002"},
		{"000016383", "000016385", 1, "000016384"}, // where a batch begins
		{"000599998", "~", 1, "000599998"},
		{"000599999", "~", 0, ""},
		{"000000005", "000000001", 0, ""}, // upside down
	} {
		in := &counted{ReaderAt: bytes.NewReader(run)}
		keys := keysOf(t, ReadRange(in, int64(len(run)), "drop", c.first, c.last))
		if len(keys) != c.n || c.n > 0 && keys[0] != c.begins {
			t.Errorf("%s to %s: %d keys, want %d from %s on", c.first, c.last, len(keys), c.n, c.begins)
		}
	}
	if keys := keysOf(t, ReadRange(bytes.NewReader(run), int64(len(run)), "b", "", "~")); keys != nil {
		t.Errorf("of a kind that is not there: %v", keys)
	}
}

// What a range costs grows with the logarithm of the run.
func TestReadRangeReadsLittle(t *testing.T) {
	cost := func(drops int) int64 {
		run := aRun(t, drops)
		in := &counted{ReaderAt: bytes.NewReader(run)}
		if keys := keysOf(t, ReadRange(in, int64(len(run)), "drop", "000400000", "000400100")); len(keys) != 51 {
			t.Errorf("%d keys", len(keys))
		}
		t.Logf("%d bytes of %d", in.bytes, len(run))
		return in.bytes
	}
	if few, many := cost(250_000), cost(2_000_000); many > 3*few {
		t.Errorf("%d bytes were read of a run, and %d of one 8 times as long", few, many)
	}
}

func TestReadRangeOfNoRun(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("PAR1"), aRun(t, 100)[:200]} {
		failed := false
		for _, err := range ReadRange(bytes.NewReader(data), int64(len(data)), "drop", "", "~") {
			failed = failed || err != nil
		}
		if !failed {
			t.Errorf("%d bytes are read without an error", len(data))
		}
	}
}
