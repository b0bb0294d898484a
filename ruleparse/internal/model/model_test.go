package model

import "testing"

func FuzzReadModel(f *testing.F) {
	f.Add(embedded[:100])
	f.Add(magic + "\x07lexicon\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := Read(s); err == nil && len(s) < 1000 {
			t.Errorf("%d bytes are a model", len(s))
		}
	})
}
