package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExpandBraces(t *testing.T) {
	for pattern, want := range map[string]string{
		"a.tar":                     "a.tar",
		"{00008..00011}.tar":        "00008.tar 00009.tar 00010.tar 00011.tar",
		"{8..11}":                   "8 9 10 11",
		"{000..1}":                  "000 001",
		"{5..5}.tar":                "5.tar",
		"{train,val}/{0..1}.tar":    "train/0.tar train/1.tar val/0.tar val/1.tar",
		"{a,b{1,2}}":                "a b1 a b2",
		"x{,.gz}":                   "x x.gz",
		"{a}":                       "{a}",
		"{}":                        "{}",
		"{a,b":                      "{a,b",
		"{é,東}*":                    "é* 東*",
		"{a..c}":                    "{a..c}",
		"{1..1048577}{1..1048577}":  "error",
		"{3..1}":                    "error",
		"{0..99999999999999999999}": "error",
		"{1..1048576}{1..2}":        "error",
	} {
		got, err := expandBraces(pattern)
		text := strings.Join(got, " ")
		if err != nil {
			text = "error"
		}
		if text != want {
			t.Errorf("%s: %q, %v; want %q", pattern, text, err, want)
		}
	}
}

func TestGlobWithBraces(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	for _, name := range []string{"00000.tar", "00001.tar", "00002.tar", "00002.json", "{a,b}.tsv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func(pattern string) (names []string, err error) {
		infos, err := Glob(Local{}, dir+"/"+pattern)
		for _, i := range infos {
			names = append(names, filepath.Base(i.Name))
		}
		return names, err
	}
	if got, err := names("{00000..00002}.tar"); err != nil || !slices.Equal(got, []string{"00000.tar", "00001.tar", "00002.tar"}) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := names("{00001,00002}.*"); err != nil || !slices.Equal(got, []string{"00001.tar", "00002.json", "00002.tar"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := names("{00000..00003}.tar"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "00003.tar") {
		t.Errorf("a file that is not there: %v", err)
	}
	if !IsGlob("{0..1}.tar") || IsGlob("{a}.tar") {
		t.Error("which patterns are globs")
	}
}
