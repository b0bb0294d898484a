//go:build stores

package objectstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"
	"testing"

	"capgraph/store"
	"capgraph/store/objectstore"
	"capgraph/testing/storetest"
)

// places are what the suite runs on: this machine, and the stores whose servers are here.
var places = map[string]func(t testing.TB) string{
	"local": func(t testing.TB) string { return t.TempDir() },
	"file":  func(t testing.TB) string { return "file://" + t.TempDir() },
	"s3":    storetest.S3,
	"gs":    storetest.GCS,
	"azure": storetest.Azure,
}

// everywhere runs a test on each place.
func everywhere(t *testing.T, test func(t *testing.T, s *objectstore.Files, root string)) {
	for name, at := range places {
		t.Run(name, func(t *testing.T) {
			root := at(t)
			test(t, files(t), root)
		})
	}
}

func files(t testing.TB) *objectstore.Files {
	s := objectstore.Defaults()
	s.Scratch = t.TempDir()
	return objectstore.New(context.Background(), s)
}

// pattern is size bytes that differ from place to place.
func pattern(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

func TestPublishedOnceAndReadWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		for _, size := range []int{0, 1, 256 << 10, 256<<10 + 1, 20 << 20} {
			name := store.Join(root, "out", fmt.Sprintf("%d ü.bin", size))
			want := pattern(size)
			if err := store.WriteFile(s, name, want); err != nil {
				t.Fatal(err)
			}
			if err := store.WriteFile(s, name, []byte("another")); !errors.Is(err, store.ErrExists) || !strings.Contains(err.Error(), path.Base(name)) {
				t.Errorf("%d bytes: published twice: %v", size, err)
			}
			if _, err := store.CreateNew(s, name); !errors.Is(err, store.ErrExists) {
				t.Errorf("%d bytes: begun anew: %v", size, err)
			}
			got, err := store.ReadFile(s, name, 1<<30)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes: read %d, %v", size, len(got), err)
			}
			if info, err := s.Stat(name); err != nil || info.Size != int64(size) || info.Dir {
				t.Errorf("%d bytes: %+v, %v", size, info, err)
			}
			if err := store.ReplaceFile(s, name, []byte("the next")); err != nil {
				t.Fatal(err)
			}
			if got, err = store.ReadFile(s, name, 1<<30); err != nil || string(got) != "the next" {
				t.Errorf("%d bytes: replaced: %q, %v", size, got, err)
			}
		}
	})
}

func TestReadAtAnyPlace(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		want := pattern(3<<20 + 17)
		name := store.Join(root, "x")
		if err := store.WriteFile(s, name, want); err != nil {
			t.Fatal(err)
		}
		f, err := s.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.Size() != int64(len(want)) {
			t.Errorf("size %d", f.Size())
		}
		var readers sync.WaitGroup
		for _, at := range []int{0, 1, 256<<10 - 1, 1 << 20, 3 << 20, len(want) - 1} {
			readers.Go(func() {
				for _, size := range []int{1, 1000, 600 << 10} {
					got := make([]byte, size)
					n, err := f.ReadAt(got, int64(at))
					if end := min(size, len(want)-at); n != end || !bytes.Equal(got[:n], want[at:at+end]) || (err != nil) != (end < size) || err != nil && !errors.Is(err, io.EOF) {
						t.Errorf("%d bytes at %d: %d, %v", size, at, n, err)
					}
				}
			})
		}
		readers.Wait()
		if _, err := f.Seek(-17, io.SeekEnd); err != nil {
			t.Error(err)
		}
		if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want[3<<20:]) {
			t.Errorf("after a seek: %d bytes, %v", len(got), err)
		}
		if n, err := f.ReadAt(make([]byte, 1), int64(len(want))+5); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("behind the end: %d, %v", n, err)
		}
	})
}

func TestFoldersAndGlobs(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		for _, name := range []string{"b/2.tsv", "b/10.tsv", "a/1.tsv", "a/1.txt", "a/.hidden.tsv", "é x.tsv", "a+b/c/d.tsv"} {
			if err := store.WriteFile(s, store.Join(root, name), []byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		infos, err := s.List(root)
		var got []string
		for _, i := range infos {
			got = append(got, fmt.Sprintf("%s %v", strings.TrimPrefix(i.Name, root+"/"), i.Dir))
		}
		if _, plain := store.LocalPath(root); err != nil || (!plain || !store.IsURL(root)) && strings.Join(got, ", ") != "a true, a+b true, b true, é x.tsv false" {
			t.Errorf("listed %v, %v", got, err)
		}
		if info, err := s.Stat(store.Join(root, "a+b")); err != nil || !info.Dir {
			t.Errorf("a folder: %+v, %v", info, err)
		}
		if _, err := s.Open(store.Join(root, "a")); !errors.Is(err, syscall.EISDIR) {
			t.Errorf("a folder is opened: %v", err)
		}
		for pattern, want := range map[string]int{"*/*.tsv": 3, "b/?.tsv": 1, "[ab]": 2, "*.tsv": 1, "a/.*": 1, "a/1.tsv": 1, "c/*": 0, "nothing": 0, "*/c/*": 1} {
			if infos, err := store.Glob(s, store.Join(root, pattern)); err != nil || len(infos) != want {
				t.Errorf("%s: %v, %v; want %d", pattern, infos, err, want)
			}
		}
		gone := store.Join(root, "a/no")
		_, openErr := s.Open(gone)
		_, statErr := s.Stat(gone)
		_, listErr := s.List(gone)
		for what, err := range map[string]error{"open": openErr, "stat": statErr, "list": listErr} {
			if path, _ := store.LocalPath(gone); !errors.Is(err, fs.ErrNotExist) || store.IsEnvironmentError(err) || !strings.Contains(err.Error(), gone) && !strings.Contains(err.Error(), path) {
				t.Errorf("%s of what is not there: %v", what, err)
			}
		}
		name := store.Join(root, "a/1.tsv")
		for range 2 {
			if err := s.Remove(name); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("removed: %v", err)
		}
	})
}

// TestOneOfManyPublishes has 8 writers publish one name, in parts and whole: one of
// them makes it.
func TestOneOfManyPublishes(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		for round, size := range []int{10, 10, 10, 17 << 20} {
			name := store.Join(root, fmt.Sprint(round))
			var made sync.Map
			var writers sync.WaitGroup
			for i := range 8 {
				writers.Go(func() {
					data := bytes.Repeat([]byte{byte(i)}, size)
					switch err := store.WriteFile(s, name, data); {
					case err == nil:
						made.Store(i, true)
					case !errors.Is(err, store.ErrExists):
						t.Error(err)
					}
				})
			}
			writers.Wait()
			got, err := store.ReadFile(s, name, 1<<30)
			if err != nil || len(got) != size {
				t.Fatalf("%d bytes: %d, %v", size, len(got), err)
			}
			winners := 0
			made.Range(func(i, _ any) bool {
				winners++
				if int(got[0]) != i.(int) || int(got[size-1]) != i.(int) {
					t.Errorf("%d bytes: writer %d made it, and it is %d's", size, i, got[0])
				}
				return true
			})
			if winners != 1 {
				t.Errorf("%d bytes: %d made it", size, winners)
			}
		}
	})
}

func TestAReaderSeesOneVersion(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		name := store.Join(root, "x")
		if err := store.WriteFile(s, name, pattern(2<<20)); err != nil {
			t.Fatal(err)
		}
		f, err := s.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := store.ReplaceFile(s, name, make([]byte, 2<<20)); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if _, local := store.LocalPath(name); local || store.Scheme(name) == "gs" && err == nil { // which keeps generations
			if err != nil || !bytes.Equal(got, pattern(2<<20)) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		} else if err == nil || !strings.Contains(err.Error(), "another than when it was opened") || !bytes.Equal(got, pattern(2 << 20)[:len(got)]) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

func TestSweepsNothingThatLives(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		name := store.Join(root, "dir/x")
		f, err := s.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Discard()
		if n, err := s.Sweep(store.Join(root, "dir")); n != 0 || err != nil {
			t.Errorf("swept %d, %v", n, err)
		}
		if n, err := s.SweepFor(name); n != 0 || err != nil {
			t.Errorf("swept %d, %v", n, err)
		}
		if err := f.Publish(); err != nil {
			t.Error(err)
		}
	})
}

// TestSweepsProbes removes the object that a process left when it was killed while it probed the store.
func TestSweepsProbes(t *testing.T) {
	everywhere(t, func(t *testing.T, s *objectstore.Files, root string) {
		if _, local := store.LocalPath(root); local {
			return // nothing is probed there
		}
		for _, name := range []string{"dir/.tmp-probe-A", "dir/x", "dir/sub/.tmp-probe-B"} {
			if err := store.ReplaceFile(s, store.Join(root, name), []byte("0")); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []int{1, 0} {
			if n, err := s.Sweep(store.Join(root, "dir")); n != want || err != nil {
				t.Errorf("swept %d, %v, want %d", n, err, want)
			}
		}
		for name, want := range map[string]bool{"dir/.tmp-probe-A": false, "dir/x": true, "dir/sub/.tmp-probe-B": true} {
			if _, err := s.Stat(store.Join(root, name)); (err == nil) != want {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestNamesThatAreNone(t *testing.T) {
	s := files(t)
	for name, want := range map[string]string{
		"http://example.org/x":         "are known",
		"s3://":                        "names no bucket",
		"s3:///x":                      "names no bucket",
		"s3://key:hidden-word@bucket/": "do not belong in an address",
		"s3://bucket?region=x/y":       "no such name",
		"file://elsewhere/x":           "file:///PATH",
	} {
		_, err := s.Stat(name)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden-word") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := store.Glob(s, "s3://*/x"); err == nil || !strings.Contains(err.Error(), "the name of a bucket cannot be a pattern") {
		t.Errorf("a pattern of buckets: %v", err)
	}
}
