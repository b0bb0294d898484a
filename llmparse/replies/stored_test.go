package replies

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// asWritten is what a record has in a file.
func asWritten(r *Record) Record {
	c := *r
	c.Took, c.WriteWait = 0, 0
	return c
}

// Whichever bit of a file of replies is another, no reply becomes another or is lost in silence: it is a miss
// that is counted, or the file is an error that names it.
func TestFlippedBitsChangeNoReply(t *testing.T) {
	dir := t.TempDir()
	c := testCache(t, dir)
	keys, want := make([]Key, 200), make([]Record, 200)
	var records []*Record
	for i := range keys {
		keys[i] = NewKey(fmt.Sprint(i))
		want[i] = Record{Model: "m", Prompt: "caption-graph/2", Text: fmt.Sprint("a dog near number ", i), Content: strings.Repeat(fmt.Sprint(i), 50), Out: i}
		records = append(records, &want[i])
	}
	if err := c.PutAll(keys, records); err != nil {
		t.Fatal(err)
	}
	c.Close()
	path := filepath.Join(dir, "replies-00000.db")
	whole := bytesOf(t, path)
	missed, failed := 0, 0
	for n := range 400 {
		at := (n*2654435761 + 4096) % (8 * len(whole))
		flipped := bytes.Clone(whole)
		flipped[at/8] ^= 1 << (at % 8)
		writeTo(t, path, flipped)
		n := 0
		err := folder(dir).eachReply(func(string, Key, *Record) error { n++; return nil })
		var some *DamagedError
		if err == nil && n != len(keys) || errors.As(err, &some) && n+some.Replies < len(keys) {
			t.Errorf("bit %d: %d of %d replies are exported, %v", at, n, len(keys), err)
		}
		c, err := folder(dir).openReadOnly()
		if err != nil {
			failed++
			continue
		}
		got := make([]*Record, len(keys))
		err = c.Get(keys, got)
		if err := errors.Join(c.closeFiles()); err != nil {
			t.Error(err)
		}
		if err != nil {
			failed++
			continue
		}
		for i, r := range got {
			if r == nil {
				missed++
			} else if !reflect.DeepEqual(asWritten(r), want[i]) {
				t.Errorf("bit %d: reply %d is %+v", at, i, r)
			}
		}
	}
	if missed == 0 || failed == 0 {
		t.Errorf("%d missed, %d files failed", missed, failed)
	}
}

// TestLostRepliesAreCounted has a page of replies say that it has fewer: the rest is exported, those that are
// lost are counted, and prune forgets them.
func TestLostRepliesAreCounted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "replies-00000.db")
	const replies, leaf = 200, 2
	putReplies(t, dir, replies)
	whole := bytesOf(t, path)
	lost := 0
	for page := 0; page+16 <= len(whole); page += os.Getpagesize() {
		flags, count := binary.NativeEndian.Uint16(whole[page+8:]), binary.NativeEndian.Uint16(whole[page+10:])
		if flags != leaf || count < 2 {
			continue
		}
		cut := bytes.Clone(whole)
		binary.NativeEndian.PutUint16(cut[page+10:], count/2)
		writeTo(t, path, cut)
		n := 0
		err := folder(dir).eachReply(func(string, Key, *Record) error { n++; return nil })
		var some *DamagedError
		if n == replies && err == nil { // a page that is not in use
			continue
		}
		if !errors.As(err, &some) || n+some.Replies != replies {
			t.Fatalf("%d of %d replies are exported, %v", n, replies, err)
		}
		lost++
		if _, err := folder(dir).prune(func(r *Record) bool { return r == nil }); err != nil {
			t.Fatal(err)
		}
		if err := folder(dir).eachReply(func(string, Key, *Record) error { return nil }); err != nil {
			t.Errorf("after prune: %v", err)
		}
	}
	if lost == 0 {
		t.Error("no page of replies was found")
	}
}

// putReplies stores replies in a folder.
func putReplies(t *testing.T, dir string, n int) {
	t.Helper()
	c := testCache(t, dir)
	keys, records := make([]Key, n), make([]*Record, n)
	for i := range keys {
		keys[i], records[i] = NewKey(fmt.Sprint(i)), &Record{Model: "m", Prompt: "caption-graph/2", Text: fmt.Sprint("a dog ", i), Content: strings.Repeat("x", 50)}
	}
	if err := errors.Join(c.PutAll(keys, records), c.PutAll(keys[:n/2], records[:n/2]), c.Close()); err != nil {
		t.Fatal(err)
	}
}

// What tidies a cache passes over damaged replies, and says how many there are.
func TestTidyingDamagedReplies(t *testing.T) {
	damagedCache := func() (dir string) {
		dir = t.TempDir()
		a, b := testCache(t, dir), testCache(t, dir)
		for i := range 5 {
			put(t, a, fmt.Sprint(i), "of a", 0)
			put(t, b, fmt.Sprint(i+3), "of b", 0)
		}
		a.Close()
		b.Close()
		inFile(t, dir, func(in *bolt.Bucket) error {
			return errors.Join(in.Put(key("3"), []byte("{}")), in.Put(key("0"), bytes.Repeat([]byte{7}, 100)))
		})
		return dir
	}
	dir := damagedCache()
	var some *DamagedError
	var exported bytes.Buffer
	err := Export(dir, &exported)
	if !errors.As(err, &some) || some.Replies != 2 || strings.Count(exported.String(), "\n") != 8 || !strings.Contains(err.Error(), "2 replies are damaged (the first in "+filepath.Join(dir, "replies-00000.db")) {
		t.Errorf("exported %q, %v", exported.String(), err)
	}
	groups, _, _, err := Stats(dir, func(*Record) bool { return true })
	if !errors.As(err, &some) || len(groups) != 1 || groups[0].Replies != 8 {
		t.Errorf("stats %+v, %v", groups, err)
	}
	if merged, err := Merge(dir); err != nil || merged != (Merged{4, 1, 0}) { // the own file keeps its damaged ones
		t.Errorf("merged %+v, %v", merged, err)
	}
	c := testCache(t, dir)
	if contentOf(t, c, "3") != "of b" || contentOf(t, c, "4") != "of a" || contentOf(t, c, "0") != "" {
		t.Error("another reply stands")
	}
	c.Close()
	if removed, err := Prune(dir, func(r *Record) bool { return r == nil }); err != nil || removed != 1 {
		t.Errorf("%d removed, %v", removed, err)
	}
	if err := Export(dir, &exported); err != nil {
		t.Error(err)
	}
}

// inFile changes the values of a file of replies.
func inFile(t *testing.T, dir string, change func(b *bolt.Bucket) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, "replies-00000.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return change(tx.Bucket(bucket)) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func key(question string) []byte {
	k := NewKey(question)
	return k[:]
}

// A file of before there were checksums is an error that names it and what to do.
func TestRepliesWithoutChecksums(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "replies-00000.db")
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("replies/1"))
		if err != nil {
			return err
		}
		return b.Put(key("a"), []byte(`{"content":"x"}`))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	_, openErr := folder(dir).open()
	_, readErr := folder(dir).openReadOnly()
	_, hasErr := HasAny(dir)
	for what, err := range map[string]error{"open": openErr, "read": readErr, "has": hasErr, "export": Export(dir, new(bytes.Buffer)), "merge": second(Merge(dir))} {
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no checksums: move the file away") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	testCache(t, dir)
}

// Whatever lies under a key, it is read as it was put, or is an error.
func FuzzReadStored(f *testing.F) {
	whole, err := encodeStored(NewKey("a"), &Record{Model: "m", Content: "x", Round: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a", whole, 0, false)
	f.Add("a", whole, 70, true)
	f.Add("b", []byte("\x00\x00\x00\x00\x00\x00\x00\x00{}"), 3, true)
	f.Add("", []byte(nil), 0, false)
	f.Add("a", []byte("null"), 1, false)
	f.Fuzz(func(t *testing.T, question string, data []byte, bit int, flip bool) {
		k := NewKey(question)
		readStored(k, data)
		r := &Record{Content: strings.ToValidUTF8(string(data), "?"), Text: strings.ToValidUTF8(question, "?"), In: bit}
		v, err := encodeStored(k, r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readStored(k, v); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%+v, %v, want %+v", got, err, r)
		}
		if flip {
			at := int(uint(bit) % uint(8*len(v)))
			v[at/8] ^= 1 << (at % 8)
			if got, err := readStored(k, v); err == nil {
				t.Errorf("bit %d: read as %+v", at, got)
			}
		}
		if got, err := readStored(NewKey(question, "another"), v); err == nil {
			t.Errorf("under another key: read as %+v", got)
		}
	})
}

func put(t testing.TB, c *Cache, question, content string, round int) {
	t.Helper()
	if err := c.Put(NewKey(question), &Record{Model: "m", Prompt: "p", Content: content, Round: round}); err != nil {
		t.Fatal(err)
	}
}

// contentOf is what a cache answers, empty for nothing.
func contentOf(t testing.TB, c *Cache, question string) string {
	t.Helper()
	if r := get(t, c, NewKey(question)); r != nil {
		return r.Content
	}
	return ""
}

func bytesOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeTo(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }
