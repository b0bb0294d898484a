package methods

import "testing"

func TestChangesOne(t *testing.T) {
	for _, c := range []struct {
		positive, negative string
		want               bool
	}{
		{"A dog on the mat.", "A cat on the mat.", true},
		{"A dog on the mat.", "An owl on the mat.", true},
		{"A dog on the mat.", "A cat on a mat.", false},
		{"A dog on the mat.", "A cat on the mat", false},
		{"A Dog on the Mat", "A cat on the mat", false},
		{"A red dog on the mat", "Red grass on the mat", true},
		{"a man in a hat", "a man wearing a hat", true},
		{"a man next to a hat", "a man close to a hat", true},
		{"a ring sitting in the middle of a room", "a ring in the corner of a room", false},
		{"a big dog on a mat", "a dog on a rug", false},
		{"a dog on the mat", "a cat on the rug", false},
		{"two men are riding a bus", "one man is riding a bus", true},
		{"a big brown dog on a mat", "big brown grass on a mat", true},
		{"a dog near the cat by a tree", "a bird near the cat by the tree", false},
		{"a dog next to a cat", "a dog behind a cat", true},
		{"a red dog on a red mat", "a red dog on a red, red mat", true},
		{"a a dog", "a a a dog", true},
		{"a dog", "a dog on a mat", true},
		{"a\tdog on a mat", "a cat on a mat", true},
		{"a\tdog on a mat", "a\tcat on a  rug", false},
		{"ein Ärmel am Tisch", "ein Ölfass am Tisch", true},
		{"", "a dog", true},
		{"a dog", "a dog", true},
	} {
		if got := ChangesOne(c.positive, c.negative); got != c.want {
			t.Errorf("%q and %q: %v", c.positive, c.negative, got)
		}
	}
}
