package llmparse

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"capgraph/store"
	"capgraph/store/objectstore"
	"capgraph/testing/fakevllm"
	"capgraph/testing/faultstore"
	"capgraph/testing/storetest"
)

// aShelf is a folder for replies in a store, and the local folder that holds its objects.
func aShelf(t testing.TB) (files Files, dir, kept string) {
	t.Helper()
	bucket, url, folder := storetest.Bucket(t)
	return Files{Store: bucket, Scratch: t.TempDir()}, url + "/a/replies", filepath.Join(folder, "a", "replies")
}

func open(t testing.TB, files Files, dir string) *Cache {
	t.Helper()
	c, err := files.backend(dir).open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
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

func objectsIn(t testing.TB, kept string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(kept)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What a process has kept, all others find that open the folder then, in any store.
func TestRepliesInAStoreAreFoundByOthers(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (Files, string){
		"folder": func(t *testing.T) (Files, string) { files, dir, _ := aShelf(t); return files, dir },
		"s3": func(t *testing.T) (Files, string) {
			return Files{Store: objectstore.New(t.Context(), objectstore.Defaults())}, storetest.S3(t) + "/ü/replies"
		},
		"gs": func(t *testing.T) (Files, string) {
			return Files{Store: objectstore.New(t.Context(), objectstore.Defaults())}, storetest.GCS(t) + "/replies"
		},
		"azblob": func(t *testing.T) (Files, string) {
			return Files{Store: objectstore.New(t.Context(), objectstore.Defaults())}, storetest.Azure(t) + "/replies"
		},
	} {
		t.Run(name, func(t *testing.T) {
			files, dir := open(t)
			sharesReplies(t, files, dir)
		})
	}
}

func sharesReplies(t *testing.T, files Files, dir string) {
	if has, err := files.HasReplies(dir); has || err != nil {
		t.Fatalf("an empty folder has replies: %v, %v", has, err)
	}
	a, b := open(t, files, dir), open(t, files, dir)
	put(t, a, "both", "same", 0)
	put(t, b, "both", "same", 0)
	if err := errors.Join(a.Keep(), b.Keep(), a.Keep()); err != nil {
		t.Fatal(err)
	}
	_, objects, _, err := files.CacheStats(dir)
	if err != nil || objects != 1 {
		t.Errorf("%d objects of the same reply, %v", objects, err)
	}
	put(t, a, "of a", "1", 0)
	put(t, b, "of b", "2", 0)
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	c := open(t, files, dir)
	for question, want := range map[string]string{"both": "same", "of a": "1", "of b": "2", "of none": ""} {
		if got := contentOf(t, c, question); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	groups, objects, size, err := files.CacheStats(dir)
	if err != nil || objects != 3 || size == 0 || len(groups) != 1 || groups[0].Replies != 3 {
		t.Errorf("%v in %d objects of %d bytes, %v", groups, objects, size, err)
	}
	var exported bytes.Buffer
	if err := files.ExportCache(dir, &exported); err != nil || strings.Count(exported.String(), "\n") != 3 {
		t.Errorf("exported %q, %v", exported.String(), err)
	}
	if merged, err := files.MergeCache(dir); err != nil || merged != (Merged{3, 1, 0}) {
		t.Errorf("merged %+v, %v", merged, err)
	}
	removed, err := files.PruneCache(dir, func(r *Record) bool { return r.Content == "2" })
	if err != nil || removed != 1 {
		t.Errorf("%d removed, %v", removed, err)
	}
	if removed, err := files.PruneCache(dir, func(*Record) bool { return true }); err != nil || removed != 2 {
		t.Errorf("%d removed of all, %v", removed, err)
	}
	if has, err := files.HasReplies(dir); has || err != nil {
		t.Errorf("all are removed, and there are replies: %v, %v", has, err)
	}
}

// Of several replies to one question all processes find the same, whichever objects they
// are in and however often these were merged; one of a later round before all others.
func TestWhichReplyStands(t *testing.T) {
	for _, order := range [][]string{{"x", "y", "z"}, {"z", "x", "y"}, {"y", "z", "x"}} {
		files, dir, _ := aShelf(t)
		for _, content := range order {
			c := &Cache{objects: &objectCache{within: files, dir: dir, unsent: map[Key]struct{}{}}} // as if all had begun at once
			db, err := openMirror(files.Scratch)
			if err != nil {
				t.Fatal(err)
			}
			c.own, c.objects.mirror = db, db
			c.startWriter()
			put(t, c, "q", content, 0)
			put(t, c, "only "+content, content, 0)
			if content == "y" {
				put(t, c, "again", "b", 2)
			} else {
				put(t, c, "again", "a", 1)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for _, state := range []string{"apart", "merged", "merged twice"} {
			c := open(t, files, dir)
			if q, again := contentOf(t, c, "q"), contentOf(t, c, "again"); q != "x" || again != "b" {
				t.Errorf("%v, %s: %q and %q stand", order, state, q, again)
			}
			for _, content := range order {
				if contentOf(t, c, "only "+content) != content {
					t.Errorf("%v, %s: a reply is lost", order, state)
				}
			}
			if merged, err := files.MergeCache(dir); err != nil || merged != (Merged{5, 1, 0}) {
				t.Errorf("%v, %s: %+v, %v", order, state, merged, err)
			}
		}
	}
}

// Replies go to the store when there are many, though nobody asks for it, and what is
// large goes in several objects.
func TestManyRepliesArePutWhileTheyCome(t *testing.T) {
	files, dir, kept := aShelf(t)
	c := open(t, files, dir)
	var keys []Key
	var records []*Record
	for i := range sendAt + 10 {
		keys, records = append(keys, newKey(fmt.Sprint(i))), append(records, &Record{Content: fmt.Sprint(i)})
	}
	if err := c.PutAll(keys[:sendAt-1], records[:sendAt-1]); err != nil || len(objectsIn(t, kept)) != 0 {
		t.Fatalf("%v, %v", objectsIn(t, kept), err)
	}
	if err := c.PutAll(keys[sendAt-1:], records[sendAt-1:]); err != nil {
		t.Fatal(err)
	}
	other := open(t, files, dir) // the first is not closed, as if it were killed
	for i := range keys {
		if r := get(t, other, keys[i]); r == nil || r.Content != fmt.Sprint(i) {
			t.Fatalf("reply %d is %+v", i, r)
		}
	}
	for i := range 3 {
		put(t, c, fmt.Sprint("large ", i), strings.Repeat("x", fullObject*2/3), 0)
	}
	before := len(objectsIn(t, kept))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(objectsIn(t, kept)) - before; n != 2 {
		t.Errorf("three large replies are in %d objects, want 2", n)
	}
	if left := objectsIn(t, files.Scratch); len(left) > 0 {
		t.Errorf("%v are left in the scratch folder", left)
	}
}

// What lies beside the objects is left alone.
func TestOtherFilesOfAFolderInAStore(t *testing.T) {
	files, dir, kept := aShelf(t)
	if err := os.MkdirAll(filepath.Join(kept, "replies-0.jsonl.zst"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeTo(t, filepath.Join(kept, "README.md"), []byte("of the bucket"))
	if has, err := files.HasReplies(dir); has || err != nil {
		t.Errorf("has replies: %v, %v", has, err)
	}
	if _, err := files.MergeCache(dir); err == nil || !strings.Contains(err.Error(), "holds no files of replies") {
		t.Errorf("merge: %v", err)
	}
	if err := open(t, files, dir).Close(); err != nil || len(objectsIn(t, kept)) != 2 {
		t.Errorf("%v, %v", objectsIn(t, kept), err)
	}
}

// movingStore merges the objects of a folder when the first of them is opened.
type movingStore struct {
	store.Store
	once sync.Once
	move func()
}

func (s *movingStore) Open(name string) (store.File, error) {
	s.once.Do(s.move)
	return s.Store.Open(name)
}

// A folder that is tidied while it is opened has all replies.
func TestMergedWhileItIsRead(t *testing.T) {
	files, dir, _ := aShelf(t)
	for i := range 5 {
		c := open(t, files, dir)
		put(t, c, fmt.Sprint(i), "reply", 0)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	moving := &movingStore{Store: files.Store, move: func() {
		if merged, err := files.MergeCache(dir); err != nil || merged.Files != 1 {
			t.Error(merged, err)
		}
	}}
	db, err := openMirror(files.Scratch)
	if err != nil {
		t.Fatal(err)
	}
	c := Cache{own: db}
	defer c.Close()
	s := objectCache{within: Files{Store: moving}, dir: dir}
	if _, err := s.load(db); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if contentOf(t, &c, fmt.Sprint(i)) != "reply" {
			t.Errorf("reply %d is lost", i)
		}
	}
}

// A file:// URL is a folder of this machine.
func TestRepliesAtAFileURL(t *testing.T) {
	dir := t.TempDir()
	files := Files{Store: objectstore.New(t.Context(), objectstore.Defaults())}
	c := open(t, files, "file://"+dir)
	put(t, c, "a", "1", 0)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if contentOf(t, testCache(t, dir), "a") != "1" {
		t.Error("the folder has no reply")
	}
	if has, err := files.HasReplies("file://" + dir); !has || err != nil {
		t.Error(has, err)
	}
	if _, err := files.HasReplies("http://host/replies"); err == nil || !strings.Contains(err.Error(), "no such scheme") {
		t.Errorf("error is %v", err)
	}
}

// What could not be put is put the next time; until then it is an error.
func TestPutsThatFail(t *testing.T) {
	files, dir, kept := aShelf(t)
	failing := true
	files.Store = faultstore.New(files.Store, func(_ int64, op faultstore.Op, _ string) error {
		if failing && op == faultstore.Publish {
			return errors.New("the store is away")
		}
		return nil
	})
	c := open(t, files, dir)
	put(t, c, "a", "1", 0)
	if err := c.Keep(); err == nil || !strings.Contains(err.Error(), "1 reply is not in "+dir+": the store is away") {
		t.Errorf("error is %v", err)
	}
	put(t, c, "b", "2", 0)
	failing = false
	if err := c.Close(); err != nil || len(objectsIn(t, kept)) != 1 {
		t.Errorf("%v, %v", objectsIn(t, kept), err)
	}
	c = open(t, files, dir)
	if contentOf(t, c, "a") != "1" || contentOf(t, c, "b") != "2" {
		t.Error("a reply is lost")
	}
}

// That nothing can be written is found before anything is asked; who asks nothing does
// not write.
func TestStoresThatTakeNoReplies(t *testing.T) {
	files, dir, _ := aShelf(t)
	files.Store = faultstore.New(files.Store, faultstore.From(faultstore.Create, 0, errors.New("not yours")))
	server := serverFor(t, fakevllm.Config{})
	o := optionsFor(t, server)
	o.Cache = dir
	if _, err := New(files, o, rules(t)); err == nil || !strings.Contains(err.Error(), "cache: not yours") {
		t.Errorf("error is %v", err)
	}
	o.Endpoints = nil
	p, err := New(files, o, rules(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := server.Counts().Requests; n != 0 {
		t.Errorf("%d requests", n)
	}
}

// A second parser asks nothing, another machine's as well; a bad reply that was marked is
// asked for anew, once.
func TestParsersShareRepliesInAStore(t *testing.T) {
	useless := true
	server := serverFor(t, fakevllm.Config{Answer: func(caption string) string {
		if useless && strings.HasSuffix(caption, "0") {
			return "{sorry"
		}
		return fakevllm.AnswerNouns(caption)
	}})
	files, dir, _ := aShelf(t)
	o := optionsFor(t, server)
	o.Cache, o.Reply = dir, ReplyPlain
	texts := captions(30)
	run := func(askAnew bool) (requests int) {
		before := server.Counts().Requests
		files.Scratch = t.TempDir()
		p, err := New(files, o, rules(t))
		if err != nil {
			t.Fatal(err)
		}
		parse(t, p, texts...)
		if askAnew {
			p.RetryUnusable()
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		return server.Counts().Requests - before
	}
	first := run(true)
	useless = false
	if again, then := run(false), run(false); first < 30 || again != 3 || then != 0 {
		t.Errorf("%d, %d and %d requests, want 30 or more, 3 and 0", first, again, then)
	}
}
