package tokenizer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"capgraph/store"
)

func TestTextsAreCutAsOpenCLIPCutsThem(t *testing.T) {
	c := clip(t)
	for _, n := range []int{2, 3, 5, 77} {
		short, err := c.WithContext(n)
		if err != nil {
			t.Fatal(err)
		}
		got := short.Encode([]int32{7}, strings.Repeat("a dog ", 100))
		if len(got) != 1+n || got[0] != 7 || got[1] != c.Start() || got[n] != c.End() {
			t.Errorf("context %d: %v", n, got)
		}
		if slices.Contains(got[1:n], c.End()) {
			t.Errorf("context %d: an end mark in the middle of %v", n, got)
		}
	}
	if c.Context() != 77 {
		t.Errorf("the context of the first became %d", c.Context())
	}
	for _, n := range []int{1, 0, -5} {
		if _, err := c.WithContext(n); err == nil || !strings.Contains(err.Error(), "at least 2") {
			t.Errorf("context %d: error %v", n, err)
		}
	}
}

func TestSizeOfCLIP(t *testing.T) {
	var c Marked = clip(t)
	if c.Size() != 49408 || c.Start() != 49406 || c.End() != 49407 || c.Context() != 77 {
		t.Errorf("size %d, start %d, end %d, context %d", c.Size(), c.Start(), c.End(), c.Context())
	}
}

// TestContainedVocabulary compares the tokenizer that the program contains with that of a file.
func TestContainedVocabulary(t *testing.T) {
	contained, err := NewCLIP()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range tricky(t) {
		if got := contained.Encode(nil, g.Text); !slices.Equal(got, g.IDs) {
			t.Errorf("%q: %v, want %v", g.Text, got, g.IDs)
		}
	}
}

func TestVocabularyThatIsNotCLIPs(t *testing.T) {
	dir := t.TempDir()
	_, err := OpenCLIP(store.Local{}, filepath.Join(dir, "none.gz"))
	if err == nil || !strings.Contains(err.Error(), "none.gz") || !strings.Contains(err.Error(), "that the program contains") {
		t.Errorf("missing: %v", err)
	}
	other := filepath.Join(dir, Vocabulary)
	if err := os.WriteFile(other, []byte("not found"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = OpenCLIP(store.Local{}, other)
	if err == nil || !strings.Contains(err.Error(), other) || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("other bytes: %v", err)
	}
}

func TestEncodeAllocatesNothing(t *testing.T) {
	c := clip(t)
	l := learned(t, 600)
	text := "A man's 2 dogs, riding a Wave on top of a surfboard."
	dst := make([]int32, 0, 80)
	for name, tok := range map[string]Marked{"CLIP": c, "Learned": l} {
		if n := testing.AllocsPerRun(100, func() { dst = tok.Encode(dst[:0], text) }); n != 0 {
			t.Errorf("%s: %v allocations a text", name, n)
		}
	}
}

// TestGoroutinesShareOne encodes at once what fills one cache.
func TestGoroutinesShareOne(t *testing.T) {
	all := tricky(t)
	l := learned(t, 700)
	var want [][]int32
	for _, g := range all {
		want = append(want, l.Encode(nil, g.Text))
	}
	fresh := newLearned(l.merges)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, g := range all {
				if got := fresh.Encode(nil, g.Text); !slices.Equal(got, want[i]) {
					t.Errorf("%q: %v, alone %v", g.Text, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// TestHugeWord is done in a moment, however long the word.
func TestHugeWord(t *testing.T) {
	l := learned(t, 1024)
	if got := l.Encode(nil, strings.Repeat("the", 1<<20)); len(got) != DefaultContext {
		t.Errorf("%d ids", len(got))
	}
}
