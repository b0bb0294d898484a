package counts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// repeats are those of keys in shards, of which it is said that they are so many.
func repeats(most int64, scratch func() (store.Temp, error), shards ...[]string) (int64, []Repeat, error) {
	k := Keys{Shards: len(shards), MaxKeys: most, Workers: 2, Scratch: scratch, Each: func(_ context.Context, shard int, see func(string, schemas.RowRef)) error {
		for row, key := range shards[shard] {
			see(key, schemas.RowRef{Shard: fmt.Sprint(shard), Row: int64(row)})
		}
		return nil
	}}
	return k.FindRepeats(context.Background())
}

func TestRepeats(t *testing.T) {
	want := []Repeat{{"a", schemas.RowRef{Shard: "0", Row: 0}, schemas.RowRef{Shard: "1", Row: 1}}, {"c", schemas.RowRef{Shard: "0", Row: 2}, schemas.RowRef{Shard: "2", Row: 3}}}
	for _, keys := range []int64{10, 3 * maxHashes} { // in one part and in four
		n, some, err := repeats(keys, nil, []string{"a", "b", "c"}, []string{"d", "a", "e"}, []string{"a", "a", "a", "c"})
		if err != nil || n != 2 || !slices.Equal(some, want) {
			t.Errorf("%d parts: %d repeats, %v, %v", keys/maxHashes+1, n, some, err)
		}
	}
}

func TestOfManyRepeatsSomeAreNamed(t *testing.T) {
	keys := make([]string, 2000)
	for i := range keys {
		keys[i] = fmt.Sprint(i % 1000)
	}
	n, some, err := repeats(2000, nil, keys)
	if err != nil || n != 1000 || len(some) != maxRepeats {
		t.Errorf("%d repeats, of which %d are named, %v", n, len(some), err)
	}
	for _, r := range some {
		if r.Second.Row-r.First.Row != 1000 {
			t.Errorf("%+v", r)
		}
	}
	// In shards that are read in any order the same are named.
	_, apart, err := repeats(2000, nil, keys[:700], keys[700:1400], keys[1400:])
	names := func(some []Repeat) (keys []string) {
		for _, r := range some {
			keys = append(keys, r.Key)
		}
		slices.Sort(keys)
		return keys
	}
	if err != nil || !slices.Equal(names(apart), names(some)) {
		t.Errorf("%v and then %v, %v", some, apart, err)
	}
}

func TestRepeatsOfNoKeys(t *testing.T) {
	for _, shards := range [][][]string{nil, {{}}, {{}, {}}} {
		if n, some, err := repeats(0, nil, shards...); n != 0 || some != nil || err != nil {
			t.Error(n, some, err)
		}
	}
	failed := errors.New("cannot be read")
	k := Keys{Shards: 3, Each: func(context.Context, int, func(string, schemas.RowRef)) error { return failed }}
	if _, _, err := k.FindRepeats(context.Background()); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// However many parts the hashes have, keys are read once, and once more for the
// names of those that repeat.
func TestManyKeysAreReadOnce(t *testing.T) {
	const distinct = 100_000 // more than a block for each part
	calls := 0
	k := Keys{Shards: 1, MaxKeys: 3 * maxHashes, Each: func(_ context.Context, _ int, see func(string, schemas.RowRef)) error {
		calls++
		for i := range int64(distinct + 3) {
			see(fmt.Sprint(i%distinct), schemas.RowRef{Shard: "0", Row: i})
		}
		return nil
	}}
	dir := t.TempDir()
	k.Scratch = func() (store.Temp, error) { return store.Local{}.Create(dir + "/hashes") }
	n, some, err := k.FindRepeats(context.Background())
	want := []Repeat{{"0", schemas.RowRef{Shard: "0", Row: 0}, schemas.RowRef{Shard: "0", Row: distinct}}, {"1", schemas.RowRef{Shard: "0", Row: 1}, schemas.RowRef{Shard: "0", Row: distinct + 1}}, {"2", schemas.RowRef{Shard: "0", Row: 2}, schemas.RowRef{Shard: "0", Row: distinct + 2}}}
	if err != nil || n != 3 || !slices.Equal(some, want) || calls != 2 {
		t.Errorf("%d repeats, %v, %v, after %d readings", n, some, err, calls)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	full := errors.New("no space left on device")
	k.Scratch = func() (store.Temp, error) { return fullDisk{err: full}, nil }
	if _, _, err := k.FindRepeats(context.Background()); !errors.Is(err, full) {
		t.Errorf("on a full disk: %v", err)
	}
}

type fullDisk struct {
	store.Temp
	err error
}

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }
func (fullDisk) Discard() error              { return nil }
