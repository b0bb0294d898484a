package curate

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

func TestExcludedAreKeysAsTheyStand(t *testing.T) {
	list := filepath.Join(t.TempDir(), "keys.txt")
	for data, want := range map[string]string{
		"a\nb":                  "a,b",
		"\ufeffa\r\n\r\nb\r\n":  "a,b",
		" a\n":                  " a",
		"café/1\n一只猫 2\na\na\n": "café/1,一只猫 2,a",
		"":                      "keys.txt: holds no key (write one a line",
		"\n\r\n":                "keys.txt: holds no key",
		"a\ncaf\xe9\n":          "keys.txt: line 2 is not UTF-8",
		"\xff\xfea\x00":         "keys.txt: is UTF-16",
	} {
		if err := os.WriteFile(list, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := NewExcluded(store.Local{}, Exclude{Keys: list})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "keys: ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", data, err, want)
			}
			continue
		}
		var has []string
		for _, key := range []string{" a", "café/1", "一只猫 2", "a", "b", "", "A", "cafe"} {
			if x.Has(key, "an image") {
				has = append(has, key)
			}
		}
		if got := strings.Join(has, ","); got != want {
			t.Errorf("%q names %q, want %q", data, got, want)
		}
		if got, want := x.Lists().Keys, fmt.Sprintf("%x", sha256.Sum256([]byte(data))); got != want {
			t.Errorf("%q: the list is %s, want %s", data, got, want)
		}
	}
}

// A key of a row is not taken for one of an image, which may be the same text.
func TestExcludedImagesAreNotKeys(t *testing.T) {
	list := filepath.Join(t.TempDir(), "images.txt")
	if err := os.WriteFile(list, []byte("42\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	images, err := NewExcluded(store.Local{}, Exclude{Images: list})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := NewExcluded(store.Local{}, Exclude{Keys: list})
	if err != nil {
		t.Fatal(err)
	}
	if !images.Has("7", "42") || images.Has("42", "7") || keys.Has("7", "42") || !keys.Has("42", "7") {
		t.Error("keys and images are mixed up")
	}
	if _, err := NewExcluded(store.Local{}, Exclude{Images: list + ".gone"}); err == nil || !strings.HasPrefix(err.Error(), "images: ") {
		t.Errorf("error %v, want one that names images", err)
	}
}

func TestNothingIsExcludedWithoutLists(t *testing.T) {
	x, err := NewExcluded(store.Local{}, NothingExcluded())
	if err != nil || x.Lists() != nil || x.Has("", "") {
		t.Errorf("%v, lists %v", err, x.Lists())
	}
}

// FuzzKeys checks that any bytes are refused or give keys of one line each that are in the file
// unchanged.
func FuzzKeys(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\ufeffa\r\n", "\xff\xfea\x00", "a\x00", "caf\xe9", "\r\r\n", "a\u2028b\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, err := parseKeys(data)
		if err == nil && len(keys) == 0 {
			t.Errorf("%q gives neither a key nor an error", data)
		}
		for key := range keys {
			if key == "" || strings.Contains(key, "\n") || !strings.Contains(string(data), key) {
				t.Errorf("%q gives the key %q", data, key)
			}
		}
	})
}
