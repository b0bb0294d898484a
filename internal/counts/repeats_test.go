package counts

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"capgraph/store"
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
		n, some, err := Repeats(keys, nil, each)
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
	n, some, err := Repeats(2000, nil, each)
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
	n, some, err := Repeats(0, nil, func(func(string, Place)) error { return nil })
	if n != 0 || some != nil || err != nil {
		t.Error(n, some, err)
	}
	failed := errors.New("cannot be read")
	if _, _, err := Repeats(1, nil, func(func(string, Place)) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// However many parts the hashes have, keys are read once, and once more for the
// names of those that repeat.
func TestManyKeysAreReadOnce(t *testing.T) {
	const distinct = 100_000 // more than a block for each part
	calls := 0
	each := func(see func(string, Place)) error {
		calls++
		for i := range int64(distinct + 3) {
			see(fmt.Sprint(i%distinct), Place{"0", i})
		}
		return nil
	}
	dir := t.TempDir()
	scratch := func() (store.Temp, error) { return store.Local{}.Create(dir + "/hashes") }
	n, some, err := Repeats(3*hashesAtOnce, scratch, each)
	want := []Repeat{{"0", Place{"0", 0}, Place{"0", distinct}}, {"1", Place{"0", 1}, Place{"0", distinct + 1}}, {"2", Place{"0", 2}, Place{"0", distinct + 2}}}
	if err != nil || n != 3 || !slices.Equal(some, want) || calls != 2 {
		t.Errorf("%d repeats, %v, %v, after %d readings", n, some, err, calls)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	full := errors.New("no space left on device")
	broken := func() (store.Temp, error) { return fullDisk{err: full}, nil }
	if _, _, err := Repeats(3*hashesAtOnce, broken, each); !errors.Is(err, full) {
		t.Errorf("on a full disk: %v", err)
	}
}

type fullDisk struct {
	store.Temp
	err error
}

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }
func (fullDisk) Discard() error              { return nil }
