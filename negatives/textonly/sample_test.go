package textonly

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A sample of long texts is bounded in bytes, and is the same in whatever order they come.
func TestSampleIsBoundedInBytes(t *testing.T) {
	long := strings.Repeat("a red bus ", 200_000)
	sample := func(order []int) (said []string) {
		s := NewSample(1000)
		for _, i := range order {
			s.Add(Pair{Image: fmt.Sprint(i), Positive: long, Negative: long[i:]})
		}
		size := 0
		for _, p := range s.Pairs() {
			size += p.size()
			said = append(said, p.Image)
		}
		if size > sampleBytes || size < sampleBytes/2 {
			t.Errorf("a sample of %d MB", size>>20)
		}
		return said
	}
	var order []int
	for i := range 120 {
		order = append(order, i)
	}
	forwards := sample(order)
	slices.Reverse(order)
	if backwards := sample(order); !slices.Equal(forwards, backwards) {
		t.Errorf("%v forwards, %v backwards", forwards, backwards)
	}
}
