package store_test

import (
	"testing"

	"capgraph/store"
)

func TestJoinAndDirKeepTheScheme(t *testing.T) {
	for _, c := range []struct{ dir, part, joined, parent string }{
		{"s3://bucket", "a", "s3://bucket/a", "s3://bucket"},
		{"s3://bucket/", "a/b", "s3://bucket/a/b", "s3://bucket/a"},
		{"s3://bucket/a", "../b", "s3://bucket/b", "s3://bucket"},
		{"s3://bucket/a", "../../b", "s3://bucket/b", "s3://bucket"},
		{"azblob://box/ä ö", "x y.parquet", "azblob://box/ä ö/x y.parquet", "azblob://box/ä ö"},
		{"file:///tmp/x", "y", "file:///tmp/x/y", "file:///tmp/x"},
		{"gs://bucket/a", "", "gs://bucket/a", "gs://bucket"},
		{"gs://bucket", "", "gs://bucket", "gs://bucket"},
		{"out", "a", "out/a", "out"},
		{"", "a", "a", "."},
		{"/", "a", "/a", "/"},
		{".", "a", "a", "."},
		{"C:/data", "a", "C:/data/a", "C:/data"},
	} {
		joined := store.Join(c.dir, c.part)
		if joined != c.joined || store.Dir(joined) != c.parent {
			t.Errorf("Join(%q, %q) = %q, Dir %q; want %q, %q", c.dir, c.part, joined, store.Dir(joined), c.joined, c.parent)
		}
	}
}

func TestLocalPath(t *testing.T) {
	for name, want := range map[string]string{
		"a/b":                   "a/b",
		"/a b":                  "/a b",
		"file:///a/b%20c":       "/a/b c",
		"file://localhost/a":    "/a",
		"file://elsewhere/a":    "",
		"file:///a?b":           "",
		"file://":               "",
		"s3://bucket/a":         "",
		"://a":                  "://a",
		"weird name://but/path": "weird name://but/path",
	} {
		if got, ok := store.LocalPath(name); got != want || ok != (want != "") {
			t.Errorf("LocalPath(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

// FuzzNames joins and parts names of any bytes: what is joined lies where it was joined to.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"s3://bucket/a", "gs://b//c/../..", "file:///a%20b", "file://%zz", "://", "a/../../b", "s3://", "é://x"} {
		f.Add(name, "part")
	}
	f.Add("", "")
	f.Fuzz(func(t *testing.T, name, part string) {
		joined := store.Join(name, part)
		if joined != "" && store.Clean(joined) != joined { // nothing joined with nothing is nothing, as path.Join has it
			t.Errorf("Join(%q, %q) = %q, which is not clean", name, part, joined)
		}
		if store.IsURL(name) && (store.Scheme(joined) != store.Scheme(name) || store.Scheme(store.Dir(joined)) != store.Scheme(name)) {
			t.Errorf("Join(%q, %q) = %q: another scheme", name, part, joined)
		}
		if path, local := store.LocalPath(name); local && store.IsURL(name) && path == "" {
			t.Errorf("%q is the path of nothing", name)
		}
	})
}
