package negatives

import (
	"errors"
	"testing"

	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// TestReadVocabulary gives the error of a file that breaks off, and no vocabulary of what came
// before.
func TestReadVocabulary(t *testing.T) {
	broken := errors.New("cut off")
	for _, want := range []error{nil, broken} {
		v, err := ReadVocabulary(func(yield func(schemas.Count, error) bool) {
			if yield(schemas.Count{Kind: vocabulary.Object, Key: "dog", N: 1}, nil) && want != nil {
				yield(schemas.Count{}, want)
			}
		}, Defaults())
		if err != want || (v == nil) != (want != nil) {
			t.Errorf("%v, error %v, want %v", v, err, want)
		}
	}
}
