package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
)

// TestEveryGoodFileIsRecognised looks into a file of each form, and into a folder of it.
func TestEveryGoodFileIsRecognised(t *testing.T) {
	for _, good := range goodFiles(t) {
		t.Run(good.name, func(t *testing.T) {
			if good.format == "cc3m" {
				good.format = "cc12m" // its URLs come first
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "captions"+good.ext)
			if good.ext == "" {
				path += ".dat"
			}
			put(t, path, good.data)
			for _, name := range []string{path, dir, filepath.Join(dir, "*")} {
				found, err := Recognise(context.Background(), store.Local{}, name)
				if err != nil {
					t.Fatal(err)
				}
				if found.Options.Format != good.format || len(found.Files) != 1 || found.Caption == "" {
					t.Errorf("%s: got %+v, want %s", name, found, good.format)
				}
				if good.columns != nil && !slices.Equal(found.Options.Columns[Caption], good.columns[Caption]) {
					t.Errorf("%s: columns %v, want %v", name, found.Options.Columns, good.columns)
				}
				if _, err := Expand(store.Local{}, found.Options); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestColumnsAreRecognisedByWhatTheyHold(t *testing.T) {
	for _, c := range []struct{ name, text, caption, image string }{
		{"text", `{"id": "a b c", "text": "a dog", "image_url": "http://a/1"}`, "text", "image_url"},
		{"case", `{"URL": "http://a/1", "TEXT": "a dog"}`, "TEXT", "URL"},
		{"neither is known", `{"a": "http://a/1", "b": "dog.jpg", "c": "a dog on a mat"}`, "c", "a"},
		{"one word", `{"TEXT": "dog", "url": "http://a/1"}`, "TEXT", ""},
		{"a caption without spaces", `{"id": "x1", "label": "一只狗在垫子上"}`, "label", ""},
		{"the usual name", `{"caption": "dog", "text": "a dog on a mat"}`, "", ""},
	} {
		path := filepath.Join(t.TempDir(), "in.jsonl")
		put(t, path, []byte(strings.Repeat(c.text+"\n", 3)))
		found, err := Recognise(context.Background(), store.Local{}, path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := found.Options.Columns; strings.Join(got[Caption], ",") != c.caption || strings.Join(got[Image], ",") != c.image {
			t.Errorf("%s: columns %v, want %s and %s", c.name, got, c.caption, c.image)
		}
	}
}

func TestWhichColumnOfATSVIsTheCaption(t *testing.T) {
	for text, want := range map[string]string{
		"http://a/1\tdog\n": "cc12m", "dog\thttp://a/1\n": "cc3m",
		"images/1.jpg\ta dog\n": "cc12m", "a dog\timages/1.jpg\n": "cc3m",
		"caption\turl\na dog\thttp://a/1\na cat\thttp://a/2\n":                 "tsv",
		"image url\tcaption text of the image\nhttp://a/1\ta dog on a couch\n": "tsv",
	} {
		path := filepath.Join(t.TempDir(), "in.tsv")
		put(t, path, []byte(text))
		found, err := Recognise(context.Background(), store.Local{}, path)
		if err != nil || found.Options.Format != want {
			t.Errorf("%q: %+v, %v, want %s", text, found, err, want)
		}
	}
}

func TestWhatIsNotRecognisedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "plain", "captions.txt"), []byte("a dog\na cat\n"))
	put(t, filepath.Join(dir, "empty.tsv"), nil)
	put(t, filepath.Join(dir, "cut.json"), []byte(`{"images": [{"id": 1}], "annotations": [{"id": 1, "image_id": 1, "capt`))
	put(t, filepath.Join(dir, "cut.gz"), gzipped(t, []byte("a dog\thttp://a/1\n"))[:15])
	put(t, filepath.Join(dir, "deep", "a", "x.tsv"), []byte("http://a/1\ta dog\n"))
	put(t, filepath.Join(dir, "deep", "b", "x.tsv"), []byte("http://a/1\ta dog\n"))
	put(t, filepath.Join(dir, "page.json"), []byte("\n<!DOCTYPE html><p>Too many requests"))
	put(t, filepath.Join(dir, "a.xml"), []byte("<annotation><caption>a dog</caption></annotation>"))
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"plain/captions.txt": "is not read as cc12m: line 1 has no tab: a dog",
		"plain":              "is not read as cc12m: line 1 has no tab: a dog",
		"empty.tsv":          "empty.tsv: is empty",
		"cut.json":           "the JSON is cut off: copy or download the file again",
		"page.json":          "page.json: is XML or HTML",
		"a.xml":              "a.xml: is XML or HTML, which is not read: write its captions as CSV",
		"cut.gz":             "the compressed file is cut off",
		"none":               "none: is a folder without files that could hold captions",
		"deep":               "deep/a, ",
		"absent.tsv":         "no such file",
		"*.csv":              "no file matches",
	} {
		_, err := Recognise(context.Background(), store.Local{}, filepath.Join(dir, name))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	_, err := Recognise(context.Background(), store.Local{}, filepath.Join(dir, "plain"))
	var unknown *UnknownError
	if !errors.As(err, &unknown) {
		t.Fatalf("got %v", err)
	}
	for _, f := range Formats() {
		if !strings.Contains(unknown.All(), f.Name) {
			t.Errorf("%s is not named: %v", f.Name, err)
		}
	}
	if os.Getuid() != 0 { // whom nothing is forbidden
		put(t, filepath.Join(dir, "secret.tsv"), []byte("http://a/1\ta dog\n"))
		if err := os.Chmod(filepath.Join(dir, "secret.tsv"), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := Recognise(context.Background(), store.Local{}, filepath.Join(dir, "secret.tsv")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	for _, g := range goodFiles(f) {
		if len(g.data) <= maxSeed {
			f.Add(g.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "in")
		put(t, path, data)
		found, err := Recognise(context.Background(), store.Local{}, path)
		if err == nil && found.Caption == "" {
			t.Errorf("no caption was found: %+v", found)
		}
	})
}
