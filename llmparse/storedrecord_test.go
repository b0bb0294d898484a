package llmparse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// asWritten is what a record has in a file.
func asWritten(r *Record) Record {
	c := *r
	c.took, c.share, c.read = 0, 0, nil
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
		keys[i] = newKey(fmt.Sprint(i))
		want[i] = Record{Model: "m", Prompt: PromptVersion, Text: fmt.Sprint("a dog near number ", i), Content: strings.Repeat(fmt.Sprint(i), 50), Out: i}
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
		err := localCache(dir).each(func(string, Key, *Record) error { n++; return nil })
		var some *DamagedError
		if err == nil && n != len(keys) || errors.As(err, &some) && n+some.Replies < len(keys) {
			t.Errorf("bit %d: %d of %d replies are exported, %v", at, n, len(keys), err)
		}
		c, err := localCache(dir).read()
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
		err := localCache(dir).each(func(string, Key, *Record) error { n++; return nil })
		var some *DamagedError
		if n == replies && err == nil { // a page that is not in use
			continue
		}
		if !errors.As(err, &some) || n+some.Replies != replies {
			t.Fatalf("%d of %d replies are exported, %v", n, replies, err)
		}
		lost++
		if _, err := localCache(dir).prune(func(r *Record) bool { return r == nil }); err != nil {
			t.Fatal(err)
		}
		if err := localCache(dir).each(func(string, Key, *Record) error { return nil }); err != nil {
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
		keys[i], records[i] = newKey(fmt.Sprint(i)), &Record{Model: "m", Prompt: PromptVersion, Text: fmt.Sprint("a dog ", i), Content: strings.Repeat("x", 50)}
	}
	if err := errors.Join(c.PutAll(keys, records), c.PutAll(keys[:n/2], records[:n/2]), c.Close()); err != nil {
		t.Fatal(err)
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

// A reply of which a bit is another, one that lies under another key, and one that answers another
// question are misses: they are told, counted, and asked for again.
func TestDamagedRepliesAreAskedForAgain(t *testing.T) {
	for what, damage := range map[string]func(a, b Key) func(*bolt.Bucket) error{
		"a bit": func(a, _ Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error {
				v := bytes.Clone(in.Get(a[:]))
				v[bytes.Index(v, []byte("dog"))+1] ^= 1
				return in.Put(a[:], v)
			}
		},
		"another's reply": func(a, b Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], bytes.Clone(in.Get(b[:]))) }
		},
		"nothing": func(a, _ Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], nil) }
		},
		"no checksum": func(a, _ Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], []byte("{}")) }
		},
		"a reply of another model": func(a, b Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error {
				r, err := readStored(b, in.Get(b[:]))
				if err != nil {
					return err
				}
				v, err := encodeStored(a, r)
				return errors.Join(err, in.Put(a[:], v))
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := serverFor(t, fakevllm.Config{})
			o := optionsFor(t, s)
			o.Reply = ReplyPlain
			texts := captions(20)
			var words told
			run := func() (out []schemas.Parsed, requests int, damaged int64) {
				before := s.Counts().Requests
				p, err := New(o, rules(t))
				if err != nil {
					t.Fatal(err)
				}
				p.SetWarn(words.add)
				out = parse(t, p, texts...)
				damaged = p.Stats().Damaged
				if err := p.Close(); err != nil {
					t.Fatal(err)
				}
				return out, s.Counts().Requests - before, damaged
			}
			first, _, _ := run()
			p, err := New(o, rules(t))
			if err != nil {
				t.Fatal(err)
			}
			a, b := p.keyOf(texts[3]), p.keyOf(texts[4])
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			inFile(t, o.Cache, damage(a, b))
			graphs := func(out []schemas.Parsed) (lines []string) {
				for i := range out {
					lines = append(lines, line(texts[i], &out[i].Graph))
				}
				return lines
			}
			again, requests, damaged := run()
			if requests != 1 || damaged != 1 || !slices.Equal(graphs(again), graphs(first)) {
				t.Errorf("%d requests, %d damaged, want 1 and 1, and the same graphs", requests, damaged)
			}
			if said := words.all(); strings.Count(said, "\n") != 0 || !strings.Contains(said, a.String()) || !strings.Contains(said, "counts as missing") {
				t.Errorf("told:\n%s", said)
			}
			if third, requests, damaged := run(); requests != 0 || damaged != 0 || !slices.Equal(graphs(third), graphs(first)) {
				t.Errorf("then %d requests, %d damaged", requests, damaged)
			}
		})
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
	err := ExportCache(dir, &exported)
	if !errors.As(err, &some) || some.Replies != 2 || strings.Count(exported.String(), "\n") != 8 || !strings.Contains(err.Error(), "2 replies are damaged (the first in "+filepath.Join(dir, "replies-00000.db")) {
		t.Errorf("exported %q, %v", exported.String(), err)
	}
	groups, _, _, err := CacheStats(dir)
	if !errors.As(err, &some) || len(groups) != 1 || groups[0].Replies != 8 {
		t.Errorf("stats %+v, %v", groups, err)
	}
	if merged, err := MergeCache(dir); err != nil || merged != (Merged{4, 1, 0}) { // the own file keeps its damaged ones
		t.Errorf("merged %+v, %v", merged, err)
	}
	c := testCache(t, dir)
	if contentOf(t, c, "3") != "of b" || contentOf(t, c, "4") != "of a" || contentOf(t, c, "0") != "" {
		t.Error("another reply stands")
	}
	c.Close()
	if removed, err := PruneCache(dir, func(r *Record) bool { return r == nil }); err != nil || removed != 1 {
		t.Errorf("%d removed, %v", removed, err)
	}
	if err := ExportCache(dir, &exported); err != nil {
		t.Error(err)
	}
}

func key(question string) []byte {
	k := newKey(question)
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
	_, openErr := localCache(dir).open()
	_, readErr := localCache(dir).read()
	_, hasErr := HasReplies(dir)
	for what, err := range map[string]error{"open": openErr, "read": readErr, "has": hasErr, "export": ExportCache(dir, new(bytes.Buffer)), "merge": second(MergeCache(dir))} {
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
	whole, err := encodeStored(newKey("a"), &Record{Model: "m", Content: "x", Round: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a", whole, 0, false)
	f.Add("a", whole, 70, true)
	f.Add("b", []byte("\x00\x00\x00\x00\x00\x00\x00\x00{}"), 3, true)
	f.Add("", []byte(nil), 0, false)
	f.Add("a", []byte("null"), 1, false)
	f.Fuzz(func(t *testing.T, question string, data []byte, bit int, flip bool) {
		k := newKey(question)
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
		if got, err := readStored(newKey(question, "another"), v); err == nil {
			t.Errorf("under another key: read as %+v", got)
		}
	})
}

func put(t testing.TB, c *Cache, question, content string, round int) {
	t.Helper()
	if err := c.Put(newKey(question), &Record{Model: "m", Prompt: "p", Content: content, Round: round}); err != nil {
		t.Fatal(err)
	}
}

// contentOf is what a cache answers, empty for nothing.
func contentOf(t testing.TB, c *Cache, question string) string {
	t.Helper()
	if r := get(t, c, newKey(question)); r != nil {
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

// A cache is on this machine: the message of one in an object store says what to do.
func TestACacheInAStoreIsRefused(t *testing.T) {
	o := Defaults()
	o.Model, o.Cache = "m", "s3://bucket/replies"
	_, err := New(o, rules(t))
	for what, err := range map[string]error{"New": err, "HasReplies": second(HasReplies(o.Cache)), "MergeCache": second(MergeCache(o.Cache))} {
		if err == nil || !strings.Contains(err.Error(), "is no folder of this machine") || !strings.Contains(err.Error(), "copy its files") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	o.Cache = "file://" + t.TempDir()
	p, err := New(o, rules(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}
