package negatives

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
		{"two men are riding a bus", "one man is riding a bus", true},
		{"a big brown dog on a mat", "big brown grass on a mat", true},
		{"a dog near the cat by a tree", "a bird near the cat by the tree", false},
		{"", "a dog", true},
		{"a dog", "a dog", true},
	} {
		if got := ChangesOne(c.positive, c.negative); got != c.want {
			t.Errorf("%q and %q: %v", c.positive, c.negative, got)
		}
	}
}
