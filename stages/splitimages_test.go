package stages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/store"
	"capgraph/testing/longtest"
)

// farCorpus are captions of animals of all colours, each of its own image, but that the
// first and the last are what same says in common.
func farCorpus(t *testing.T, same string) string {
	t.Helper()
	colours := []string{"black", "white", "brown", "grey", "green", "yellow"}
	line := func(i int, of, caption string) string {
		if of == "" {
			of = fmt.Sprintf(`"url": "http://x.org/%d.jpg"`, i)
		}
		return fmt.Sprintf("{%s, \"caption\": %q}\n", of, caption)
	}
	lines := line(0, same, "a red dog on a mat")
	for i := range 60 {
		lines += line(i+1, "", fmt.Sprintf("a %s %s on a %s", colours[i%6], []string{"dog", "cat"}[i/6%2], []string{"mat", "rug", "bed"}[i/12%3]))
	}
	lines += line(61, same, "a black dog on a mat")
	name := filepath.Join(t.TempDir(), "captions.jsonl")
	if err := os.WriteFile(name, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// negativesOf runs over a source and returns the negatives of its first and its
// last caption, and the folder.
func negativesOf(t *testing.T, source string, sets ...string) (first, last []string, dir string) {
	t.Helper()
	dir = t.TempDir()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 2,
		append([]string{"source.format=jsonl", "negatives.candidates=20", "negatives.balance.enabled=false", "negatives.public_counts=15000", "negatives.mix={}"}, sets...)...)
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	shards, err := inspect.FinishedShards(r.Folder, folder.PassTexts)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, s := range shards {
		for row, err := range inspect.ReadTexts(r.Folder, s.Shard, 0) {
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, n := range row.Pool.Negatives {
				texts = append(texts, strings.Clone(n.Text))
			}
			all = append(all, texts)
		}
	}
	return all[0], all[len(all)-1], dir
}

// A negative that a caption of the same image makes true is turned away, however
// far it lies and however it is known that the image is the same.
func TestSplitImagesAreCompared(t *testing.T) {
	black := func(texts []string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "black dog") })
	}
	first, _, _ := negativesOf(t, farCorpus(t, ""))
	if !black(first) {
		t.Fatalf("of two images, no negative has a black dog: %q", first)
	}
	for _, same := range []string{
		`"url": "http://x.org/same.jpg"`,
		`"url": null, "sha256": "00ff"`,
		`"uid": 17, "image": "a.jpg"`,
	} {
		first, last, dir := negativesOf(t, farCorpus(t, same))
		if len(first) == 0 || black(first) || slices.ContainsFunc(last, func(s string) bool { return strings.Contains(s, "red dog") }) {
			t.Errorf("%s: the negatives are %q and %q", same, first, last)
		}
		if !longtest.Wanted() {
			return // the others differ in what the rows say
		}
		for _, rows := range []string{"1", "7"} {
			f, l, _ := negativesOf(t, farCorpus(t, same), "output.shard_rows="+rows)
			if !slices.Equal(f, first) || !slices.Equal(l, last) {
				t.Errorf("%s: cut into shards of %s rows, the negatives are %q and %q", same, rows, f, l)
			}
		}
		graphs := dir + "/graphs/*.parquet"
		f, l, _ := negativesOf(t, graphs, "source.format=graphs")
		if black(f) || slices.ContainsFunc(l, func(s string) bool { return strings.Contains(s, "red dog") }) {
			t.Errorf("%s: of the graphs, the negatives are %q and %q", same, f, l)
		}
	}
}

// Of an image with very many captions in several places some are left out, and it is said.
func TestManySplitCaptions(t *testing.T) {
	var lines strings.Builder
	for i := range 1300 {
		fmt.Fprintf(&lines, "http://x.org/same.jpg\ta cat number %d\nhttp://x.org/%d.jpg\ta dog\n", i, i)
	}
	source := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(source, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, t.TempDir(), 2, "output.shard_rows=500")
	var warned string
	r.Warn = func(text string) { warned += text }
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally, folder.PassCount} {
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	e, err := r.Folder.ReadEntry(folder.PassCount, "all")
	if err != nil || e.Stats["images_not_adjacent"] != 1 || e.Stats["far_captions_left_out"] != 1300-1024 {
		t.Errorf("%v, %v", e.Stats, err)
	}
	if !strings.Contains(warned, "276 captions are beyond the 1024 of an image") {
		t.Errorf("the warning is %q", warned)
	}
}
