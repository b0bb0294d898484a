package clip

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// written writes a file and returns its name.
func written(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadLabelled(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"cat/1.jpg", "cat/2.PNG", "cat/notes.txt", "tabby_dog/1.webp", "readme.md"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{dir, "[{cat/1.jpg cat} {cat/2.PNG cat} {tabby_dog/1.webp tabby_dog}]"},
		{written(t, "a.csv", "label,image\n7,a.jpg\n\"a, b\",c.jpg\n"), "[{a.jpg 7} {c.jpg a, b}]"},
		{written(t, "a.jsonl", `{"image": "a.jpg", "label": 7}`+"\n\n"+`{"image": "b.jpg", "label": "x"}`), "[{a.jpg 7} {b.jpg x}]"},
	} {
		if got, err := ReadLabelled(store.Local{}, c.name); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	for _, c := range []struct{ content, want string }{
		{"image\na\n", "has no column label"}, {"image,label\n,b\n", "line 2: has no image"}, {`{"image": "a"}`, "line 1: has no label"}, {"image,label\n", "has no image with a label"},
	} {
		if _, err := ReadLabelled(store.Local{}, written(t, "x", c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.content, err)
		}
	}
	list, _ := ReadLabelled(store.Local{}, dir)
	if got := fmt.Sprint(ClassesOf(list)); got != "[{cat cat} {tabby_dog tabby dog}]" {
		t.Error(got)
	}
	if got, err := ReadClasses(store.Local{}, written(t, "c", "n01\ta tench\r\ncat\n\n")); err != nil || fmt.Sprint(got) != "[{n01 a tench} {cat cat}]" {
		t.Error(got, err)
	}
	if _, err := ReadClasses(store.Local{}, written(t, "c", "a\na\tb\n")); err == nil {
		t.Error("a class twice: no error")
	}
	if _, err := ReadTemplates(store.Local{}, written(t, "c", "a photo of a {}\nno name\n")); err == nil || !strings.Contains(err.Error(), `"no name" has no {}`) {
		t.Error(err)
	}
	if got, err := ReadTemplates(store.Local{}, written(t, "c", "a {}.\nthe {}.\n")); err != nil || len(got) != 2 {
		t.Error(got, err)
	}
}

func TestClassify(t *testing.T) {
	list := []Labelled{{"aa", "a"}, {"ab", "a"}, {"missing", "a"}, {"b", "b"}, {"ba", "a"}, {"c", "c"}, {"ca", "c"}}
	classes := ClassesOf(list)
	r, err := Classify(t.Context(), &words{}, "", list, classes, []string{"{}", "{}{}"}, Options{Batch: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i := range r.Measures {
		m := &r.Measures[i]
		got += fmt.Sprintf("%s %v %.3f; ", m.Name, m.Values, m.Value())
	}
	// ab, ba and ca are as like either class: ties are wrong.
	if want := "top-1 [1 0 NaN 1 0 1 0] 0.500; top-1, mean over classes [1 0 NaN 1 0 1 0] 0.611; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(r.Broken) != 1 {
		t.Error(r.Broken)
	}
	if _, err := Classify(t.Context(), &words{}, "name", list, classes[:1], []string{"{}"}, Options{}); err == nil || !strings.Contains(err.Error(), `name: image b has the class "b"`) {
		t.Error(err)
	}
}

func TestTheFifthCounts(t *testing.T) {
	var list []Labelled
	for _, c := range "abcdefg" {
		list = append(list, Labelled{string(c), string(c)})
	}
	list = append(list, Labelled{"abcdeeffgg", "a"}) // three are nearer, three as near
	list = append(list, Labelled{"abbccdd", "a"})
	r, err := Classify(t.Context(), &words{}, "", list, ClassesOf(list), []string{"{}"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Measures[0].Values, r.Measures[1].Name, r.Measures[1].Values); got != "[1 1 1 1 1 1 1 0 0]top-5[1 1 1 1 1 1 1 0 1]" {
		t.Error(got)
	}
}

func TestReadCaptions(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{`{"images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}], "annotations": [{"id": 1, "image_id": 1, "caption": "x"}, {"id": 2, "image_id": 2, "caption": "y"}, {"id": 3, "image_id": 1, "caption": "z"}]}`,
			"a.jpg [x z]; b.jpg [y]; "},
		{`[{"image": "a.jpg", "caption": ["x", "y"]}, {"image": "b.jpg", "caption": "z"}]`, "a.jpg [x y]; b.jpg [z]; "},
	} {
		got := ""
		list, err := ReadCaptions(t.Context(), store.Local{}, written(t, "c.json", c.content), "")
		for _, i := range list {
			got += fmt.Sprintf("%s %v; ", i.Image, i.Texts)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v", c.content, got, err)
		}
	}
	for _, dir := range []string{t.TempDir(), written(t, "c.json", "[]")} {
		if _, err := ReadCaptions(t.Context(), store.Local{}, dir, ""); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestCaptionsOfASplit chooses a split of Karpathy's JSON, and says which there are.
func TestCaptionsOfASplit(t *testing.T) {
	file := written(t, "c.json", `{"images": [{"filename": "a.jpg", "split": "train", "sentences": [{"raw": "x"}]}, {"filename": "b.jpg", "split": "test", "sentences": [{"raw": "y"}, {"raw": "z"}]}]}`)
	list, err := ReadCaptions(t.Context(), store.Local{}, file, "test")
	if err != nil || len(list) != 1 || fmt.Sprint(list[0].Image, list[0].Texts) != "b.jpg[y z]" {
		t.Errorf("%v, %v", list, err)
	}
	for name, want := range map[string]string{file: `no captions of split "val": it has test, train`, t.TempDir(): "a folder of texts has no splits"} {
		if _, err := ReadCaptions(t.Context(), store.Local{}, name, "val"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWordNetID(t *testing.T) {
	id, fish, empty := Class{"n01440764", "n01440764"}, Class{"n01440764", "tench"}, []Class(nil)
	for _, c := range []struct {
		classes []Class
		want    string
	}{{empty, ""}, {[]Class{id}, "n01440764"}, {[]Class{id, fish}, ""}, {[]Class{fish}, ""}} {
		if got := WordNetID(c.classes); got != c.want {
			t.Errorf("%v: %q, want %q", c.classes, got, c.want)
		}
	}
}
