package wordclass

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestClassesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(classFile, "\n"), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		class, words, ok := strings.Cut(line, "\t")
		if !ok || class == "" || strings.Contains(words, "\t") || seen[class] {
			t.Errorf("line %d: want a class that no other line has, a tab and words: %q", i+1, line)
		}
		seen[class] = true
		all := strings.Split(words, " ")
		slices.Sort(all)
		for k, w := range all {
			if w == "" || w != strings.ToLower(w) || k > 0 && w == all[k-1] {
				t.Errorf("line %d: %s: %q is no word, not in lower case or there twice", i+1, class, w)
			}
		}
	}
}

func TestEveryClassIsUsed(t *testing.T) {
	use := regexp.MustCompile(`wordclass\.Words\("([^"]+)"\)`)
	used := map[string]bool{}
	for _, dir := range []string{"../../../ruleparse", "../../../negatives"} {
		err := filepath.WalkDir(filepath.FromSlash(dir), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			source, err := os.ReadFile(name)
			for _, m := range use.FindAllStringSubmatch(string(source), -1) {
				used[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for class := range classes {
		if !used[class] {
			t.Errorf("nothing uses the class %s", class)
		}
	}
}

func TestUnknownClassPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Words("clouds")
}

func TestWordsHaveSpacesAround(t *testing.T) {
	if got := parseClasses("# a comment\tof two\n\na\tx y\nb\tz")["a"]; got != " x y " {
		t.Errorf("%q", got)
	}
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		class, w string
		want     bool
	}{
		{" a an the ", "an", true}, {" a an the ", "the", true}, {" a an the ", "th", false}, {" an a ", "a", true},
		{" a an the ", "n", false}, {"", "a", false}, {" ", "a", false}, {" naïve ", "naïve", true}, {" a ", "", false},
		{"in front of", "in", true}, {"in front of", "of", true}, {"in front of", "front of", true}, {"in front of", "in front of", true}, {"in front of", "fro", false}, {"a\nb", "b", true}, {"a\nb", "a", true},
	} {
		if got := Has(c.class, c.w); got != c.want {
			t.Errorf("Has(%q, %q) = %v", c.class, c.w, got)
		}
	}
}
