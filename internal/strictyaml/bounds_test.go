package strictyaml

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// mostAllocated is what reading any recipe of up to 1 MiB, or refusing it, may allocate.
const mostAllocated = 128 << 20

// allocated are the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// nested is a document of sections that lie in each other.
func nested(levels int, last string) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String() + strings.Repeat(" ", levels) + last + "\n"
}

// A recipe that is small and would take gigabytes to read is refused before it is read, in a
// file, by --set and as a list where one is wanted.
func TestDocumentsThatGrowAreRefused(t *testing.T) {
	laughs := "s0: &s0 [a, a, a, a, a, a, a, a, a, a]\n"
	for i := 1; i < 10; i++ {
		laughs += fmt.Sprintf("s%d: &s%d [%s*s%d]\n", i, i, strings.Repeat(fmt.Sprintf("*s%d, ", i-1), 9), i-1)
	}
	const n = 200_000
	deep := "lists and sections lie in each other more than 64 deep"
	for name, c := range map[string]struct{ text, want string }{
		"aliases of aliases":     {laughs, "aliases stand for more than 1048576 bytes"},
		"aliases of a long text": {"a: &a " + strings.Repeat("x", n) + "\nb: [" + strings.Repeat("*a, ", n/16) + "*a]\n", "aliases stand for more than"},
		"an alias of itself":     {"nested: &s\n  where: *s\n", "2:10: an alias within what it stands for"},
		"an alias of a list":     {"only: &s [a, *s]\n", "an alias within what it stands for"},
		"an alias too early":     {"kind: *a\nonly: &a x\n", "1:7: an alias of no anchor before it"},
		"an anchor twice":        {"kind: &a x\nonly: [&a y, *a]\n", "2:8: an anchor of this name was defined before"},
		"brackets":               {strings.Repeat("[", n), deep},
		"braces":                 {strings.Repeat("{", n), deep},
		"maps in braces":         {strings.Repeat("{a: ", n/4), deep},
		"closed brackets":        {"only: " + strings.Repeat("[", n/2) + strings.Repeat("]", n/2), deep},
		"dashes":                 {strings.Repeat("- ", n/2), deep},
		"dashes in brackets":     {"only: [" + strings.Repeat("- ", n/2), deep},
		"keys on one line":       {strings.Repeat("a: ", n/3), deep},
		"explicit keys":          {strings.Repeat("? ", n/2), deep},
		"indented keys":          {nested(600, "b: c"), deep},
		"65 levels":              {nested(64, "b: c"), deep},
		"anchors in a row":       {strings.Repeat("&a ", n/3) + "x", deep},
		"tags in a row":          {strings.Repeat("!a ", n/3) + "x", deep},
		"more than there can be": {"only: [" + strings.Repeat("a,", n) + "a]", "more keys and values than a recipe has"},
		"lines of lists":         {"only:\n" + strings.Repeat("- a\n", n), "more keys and values than a recipe has"},
		"empty lines of a text":  {"kind: |" + strings.Repeat("\n", n), "1002:1: more than 1000 empty lines"},
		"lines of spaces":        {"kind: |\n" + strings.Repeat("  \r\n", n/4), "more than 1000 empty lines"},
		"a long key":             {strings.Repeat("k", n/2) + ": [" + strings.Repeat("1,", n/4) + "1]", "more keys and values than a recipe has"},
	} {
		t.Run(name, func(t *testing.T) {
			for what, load := range map[string]func() error{
				"file":  func() error { _, err := read(t, c.text); return err },
				"--set": func() error { _, err := read(t, "", "nested="+c.text); return err },
			} {
				var err error
				if bytes := allocated(func() { err = load() }); bytes > mostAllocated {
					t.Errorf("%s: %d MB allocated", what, bytes>>20)
				}
				if err == nil || what == "file" && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: error is %.300v, want %q", what, err, c.want)
				}
				if err != nil && len(err.Error()) > 1000 {
					t.Errorf("%s: the error has %d bytes", what, len(err.Error()))
				}
			}
		})
	}
}

// What people write is within the bounds: some levels, long lists, aliases, a text full of
// brackets wherever it lies.
func TestDocumentsWithinTheBounds(t *testing.T) {
	for name, text := range map[string]string{
		"an alias":           "data: [{texts: &a b}, {texts: *a}]",
		"a merge":            "data: [&d {texts: b, weight: 2}, {<<: *d, files: {count: 3}}]",
		"20,000 names":       "only: [" + strings.Repeat("a, ", 20_000) + "a]",
		"20,000 lines":       "only:\n" + strings.Repeat("- a\n", 20_000),
		"brackets in quotes": "data: {texts: \"" + strings.Repeat("[", 9000) + "\"}",
		"brackets in a text": "data:\n  texts: |\n" + strings.Repeat("    [[[[[[[[\n", 2000),
		"empty lines":        "data: [{texts: b}]" + strings.Repeat("\n", 1000) + "kind: small",
		"brackets in notes":  strings.Repeat("# [[[{{{\n", 2000) + "kind: small",
		"closed lists":       "share: [" + strings.Repeat("1, ", 500) + "1]\nsizes: [" + strings.Repeat("1, ", 500) + "1]",
	} {
		if _, err := read(t, text); err != nil {
			t.Errorf("%s: %.300v", name, err)
		}
	}
	if _, err := checkBounds([]byte(nested(63, "b: c"))); err != nil {
		t.Errorf("64 levels: %v", err)
	}
}

func FuzzBounds(f *testing.F) {
	f.Add("a: &a [*a]")
	f.Add("a: &a [x]\nb: *a\n")
	f.Add(strings.Repeat("[", 100))
	f.Add(nested(70, "- b"))
	f.Add("? a\n: - b\n  - {c: [d, !!str e]}\n")
	f.Add("a: |\n  [\nb: >-\n  ]\n--- \"x\"\n...\n%YAML 1.2\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		path := filepath.Join(t.TempDir(), "small.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if bytes := allocated(func() {
			form().Load(path, nil)
			form().Load("", []string{"nested=" + text})
			form().Load("", []string{"only=" + text})
		}); bytes > 3*mostAllocated {
			t.Errorf("%d bytes of YAML: %d MB allocated", len(text), bytes>>20)
		}
	})
}
