package replies

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func testCache(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := folder(dir).open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func get(t testing.TB, c *Cache, k Key) *Record {
	t.Helper()
	var r [1]*Record
	if err := c.Get([]Key{k}, r[:]); err != nil {
		t.Fatal(err)
	}
	return r[0]
}

func TestProcessesWriteFilesOfTheirOwnAndReadAll(t *testing.T) {
	dir := t.TempDir()
	a, b := testCache(t, dir), testCache(t, dir) // as two processes would: a lock is on an open file
	if err := a.Put(NewKey("a"), &Record{Content: "of a"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(NewKey("b"), &Record{Content: "of b"}); err != nil {
		t.Fatal(err)
	}
	if get(t, b, NewKey("a")) != nil || len(b.busy) != 1 {
		t.Errorf("a file that is being written was read; busy: %v", b.busy)
	}
	a.Close()
	b.Close()
	c := testCache(t, dir)
	for _, name := range []string{"a", "b"} {
		if r := get(t, c, NewKey(name)); r == nil || r.Content != "of "+name {
			t.Errorf("the reply of process %s is %+v", name, r)
		}
	}
	if files, _ := folder(dir).files(); len(files) != 2 {
		t.Errorf("files are %v", files)
	}
}

func TestPutsAtTheSameTimeAreAllKept(t *testing.T) {
	dir := t.TempDir()
	c := testCache(t, dir)
	var wait sync.WaitGroup
	for i := range 500 {
		wait.Go(func() {
			if err := c.Put(NewKey(fmt.Sprint(i)), &Record{Content: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	c.Close()
	c = testCache(t, dir)
	for i := range 500 {
		if r := get(t, c, NewKey(fmt.Sprint(i))); r == nil || r.Content != fmt.Sprint(i) {
			t.Fatalf("reply %d is %+v", i, r)
		}
	}
}

// Whatever has become of a file of replies, it is an error that names it, and
// no panic and no fault.
func TestDamagedFilesAreNamed(t *testing.T) {
	dir := t.TempDir()
	c := testCache(t, dir)
	var puts sync.WaitGroup
	for i := range 200 { // at once, since each alone waits for the disk
		puts.Go(func() { c.Put(NewKey(fmt.Sprint(i)), &Record{Content: strings.Repeat("x", 100)}) })
	}
	puts.Wait()
	c.Close()
	path := filepath.Join(dir, "replies-00000.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"text":       []byte(strings.Repeat("not a file of replies\n", 1000)),
		"short":      whole[:100],
		"half":       whole[:len(whole)/2],
		"one page":   whole[:4096],
		"no headers": append(make([]byte, 8192), whole[8192:]...),
	} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := folder(dir).open()
		if err == nil {
			c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "move the file away") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
}

func TestKeysDifferByWhereTheirPartsEnd(t *testing.T) {
	if NewKey("ab", "c") == NewKey("a", "bc") || NewKey("a") == NewKey("a", "") {
		t.Error("two questions have one key")
	}
	k := NewKey("x")
	if got, err := parseKey(k.String()); err != nil || got != k {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "00", k.String() + "00", strings.Repeat("zz", 32), k.String()[1:]} {
		if _, err := parseKey(bad); err == nil {
			t.Errorf("%q is a key", bad)
		}
	}
}

// Whatever stands in a file of answers, each line is stored or warned of, or both.
func FuzzImport(f *testing.F) {
	k := NewKey("x").String()
	f.Add([]byte(`{"custom_id":"` + k + `","response":{"status_code":200,"body":{"choices":[{"message":{"content":"{}"}}]}},"error":null}`))
	f.Add([]byte(`{"custom_id":"` + k + `","response":null,"error":"x"}` + "\n\n{"))
	f.Add([]byte(`{"custom_id":3}`))
	c := testCache(f, f.TempDir())
	c.tokens = 1024
	f.Fuzz(func(t *testing.T, data []byte) {
		warned := 0
		m := Importer{
			Cache: c, Model: "m", MaxBody: 1 << 20, PromptOf: func(string) string { return "p" },
			Usable: func(r *Record) bool { return r.Content != "" }, Warn: func(int, error) { warned++ },
		}
		n, err := m.Import(bytes.NewReader(data), nil)
		if err != nil {
			return
		}
		lines := 0
		for _, l := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(l)) > 0 {
				lines++
			}
		}
		failed := 0
		for _, k := range n.Failed {
			failed += k
		}
		if n.Stored+failed+n.Malformed != lines || warned != failed+n.Malformed+n.Unusable {
			t.Errorf("%d lines: %+v, %d warnings", lines, n, warned)
		}
	})
}
