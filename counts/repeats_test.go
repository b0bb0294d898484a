package counts

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestRepeats(t *testing.T) {
	shards := [][]string{{"a", "b", "c"}, {"d", "a", "e"}, {"a", "c"}}
	each := func(see func(string, Place)) error {
		for i, keys := range shards {
			for row, key := range keys {
				see(key, Place{fmt.Sprint(i), int64(row)})
			}
		}
		return nil
	}
	want := []Repeat{{"a", Place{"0", 0}, Place{"1", 1}}, {"c", Place{"0", 2}, Place{"2", 1}}}
	for _, keys := range []int64{8, 3 * hashesAtOnce} { // in one part and in four
		n, some, err := Repeats(keys, each)
		if err != nil || n != 2 || !slices.Equal(some, want) {
			t.Errorf("%d parts: %d repeats, %v, %v", keys/hashesAtOnce+1, n, some, err)
		}
	}
}

func TestOfManyRepeatsSomeAreNamed(t *testing.T) {
	each := func(see func(string, Place)) error {
		for i := range int64(2000) {
			see(fmt.Sprint(i%1000), Place{"0", i})
		}
		return nil
	}
	n, some, err := Repeats(2000, each)
	if err != nil || n != 1000 || len(some) != mostRepeats {
		t.Errorf("%d repeats, of which %d are named, %v", n, len(some), err)
	}
	for _, r := range some {
		if r.Second.Row-r.First.Row != 1000 {
			t.Errorf("%+v", r)
		}
	}
}

func TestRepeatsOfNoKeys(t *testing.T) {
	n, some, err := Repeats(0, func(func(string, Place)) error { return nil })
	if n != 0 || some != nil || err != nil {
		t.Error(n, some, err)
	}
	failed := errors.New("cannot be read")
	if _, _, err := Repeats(1, func(func(string, Place)) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}
