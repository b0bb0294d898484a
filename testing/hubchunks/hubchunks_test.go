package hubchunks

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func random(n int, seed uint64) []byte {
	r, b := rand.NewChaCha8([32]byte{byte(seed)}), make([]byte, n)
	r.Read(b)
	return b
}

func TestCut(t *testing.T) {
	data := random(8<<20, 1)
	chunks := Cut(data)
	if !bytes.Equal(bytes.Join(chunks, nil), data) {
		t.Fatal("the chunks are not the data")
	}
	for i, c := range chunks[:len(chunks)-1] {
		if len(c) < least || len(c) > most {
			t.Errorf("chunk %d has %d bytes", i, len(c))
		}
	}
	if mean := len(data) / len(chunks); mean < 48<<10 || mean > 80<<10 {
		t.Errorf("chunks have %d bytes in the mean", mean)
	}
	if got := Cut(make([]byte, 300<<10)); len(got) != 3 || len(got[0]) != most {
		t.Errorf("zeros are %d chunks", len(got))
	}
	if len(Cut(nil)) != 0 || len(Cut([]byte{1})) != 1 {
		t.Error("no byte and one are not none and one chunk")
	}
}

func TestShare(t *testing.T) {
	a, b := random(4<<20, 1), random(4<<20, 2)
	for _, c := range []struct {
		name           string
		earlier, later []byte
		least, most    float64
	}{
		{"the same", a, a, 1, 1},
		{"another", a, b, 0, 0},
		{"a byte in front", a, append([]byte{7}, a...), 0.9, 0.999},
		{"half", a, append(bytes.Clone(a), b...), 0.45, 0.5},
		{"nothing", a, nil, 0, 0},
	} {
		if got := Share(c.earlier, c.later); got < c.least || got > c.most {
			t.Errorf("%s: %.3f", c.name, got)
		}
	}
}
