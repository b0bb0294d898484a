package emoji

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"capgraph/export"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/synth"
	"capgraph/train/loader"
)

// fakeLibrary returns squares of one colour in place of the pictures of emoji.
var fakeLibrary = sync.OnceValue(func() *library {
	l := &library{pictures: map[string]map[string]*picture{}}
	add := func(name string) {
		l.characters = append(l.characters, character{Code: fmt.Sprintf("1F%03X", len(l.characters)), Name: name, Group: "fake"})
	}
	for _, kind := range []string{"farmer", "judge", "old man", "man", "mermaid"} {
		add(kind)
		for _, tone := range toneNames {
			add(kind + ": " + tone + " skin tone")
		}
	}
	for _, colour := range []string{"red", "blue", "green", "black", "white"} {
		for _, shape := range []string{"circle", "square", "heart", "book"} {
			add(colour + " " + shape)
		}
	}
	for _, name := range []string{"cat", "owl", "flag: Norway"} {
		add(name)
	}
	for _, name := range slices.Sorted(maps.Keys(couples)) {
		for _, first := range toneNames {
			for _, second := range toneNames {
				sign := map[bool]string{true: ",", false: ":"}[strings.Contains(name, ":")]
				add(fmt.Sprintf("%s%s %s skin tone, %s skin tone", name, sign, first, second))
			}
		}
	}
	encoder := png.Encoder{BufferPool: &writer{}}
	for i, d := range designers {
		l.pictures[d.name] = map[string]*picture{}
		for k, e := range l.characters {
			img := image.NewRGBA(image.Rect(0, 0, 1, 1))
			img.SetRGBA(0, 0, color.RGBA{uint8(60 * i), uint8(k), uint8(k >> 8), 255})
			var data bytes.Buffer
			if err := encoder.Encode(&data, img); err != nil {
				panic(err)
			}
			l.pictures[d.name][d.fileName(e)] = &picture{designer: d.name, name: e.Code + ".png", data: data.Bytes()}
		}
	}
	return l
})

// made returns the files of a corpus of the fake library by name.
func made(t *testing.T, c Corpus) (dir string, files map[string]string) {
	t.Helper()
	dir, files = t.TempDir(), map[string]string{}
	if err := c.makeFiles(t.Context(), fakeLibrary(), dir); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir, files
}

func TestTheSameSeedGivesTheSameBytes(t *testing.T) {
	for _, kind := range []string{Pairs, Couples} {
		c := Corpus{kind, 1, 40, 6}
		_, first := made(t, c)
		_, again := made(t, c)
		if fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("%s: other files", kind)
		}
		c.Seed = 2
		if _, other := made(t, c); other["captions.jsonl"] == first["captions.jsonl"] || other["train/000000.png"] == first["train/000000.png"] {
			t.Errorf("%s: another seed gives the same files", kind)
		}
	}
}

// lines returns the values of JSON lines.
func lines[T any](t *testing.T, text string) (all []T) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// says reports whether a text has another with its article.
func says(text, part string) bool { return strings.Contains(" "+text+" ", " "+part+" ") }

// TestPairsAreKeptForTests looks for what a test holds back in the captions.
func TestPairsAreKeptForTests(t *testing.T) {
	_, files := made(t, Corpus{Pairs, 3, 200, 20})
	p := Corpus{Pairs, 3, 200, 20}.newPairsCorpus(fakeLibrary())
	if len(p.held) < 5 || len(p.held) > 12 {
		t.Errorf("%d combinations of 45 are held out", len(p.held))
	}
	captions := files["captions.jsonl"]
	for held := range p.held {
		for _, f := range []*family{skins, colours} {
			for form := range forms {
				if phrase := (thing{f, held, nil}).phrase(form); says(captions, phrase[2:]) && f != colours {
					t.Errorf("%q is held out, and trained on", phrase)
				}
			}
		}
	}
	together := map[string]bool{}
	for _, c := range lines[caption](t, captions) {
		for _, word := range []string{" next to ", " to the left of ", " to the right of ", " and "} {
			if a, b, ok := strings.Cut(c.Caption, word); ok {
				together[a+" and "+b], together[b+" and "+a] = true, true
			}
		}
	}
	for _, set := range []string{New, Held, Designer} {
		var found []synth.Captioned
		if err := json.Unmarshal([]byte(files["tests/"+TestName(set, Retrieval, "")+".json"]), &found); err != nil || len(found) != 20 {
			t.Fatalf("%s: %d images, %v", set, len(found), err)
		}
		for _, f := range found {
			if together[f.Caption[0]] || files["tests/"+f.Image] == "" {
				t.Errorf("%s: %q is trained on, or has no image", set, f.Caption)
			}
		}
	}
	for name, text := range files {
		var pairs map[string]synth.CaptionPair
		if json.Unmarshal([]byte(text), &pairs) != nil || strings.HasPrefix(name, "train") {
			continue
		}
		for _, q := range pairs {
			if q.Caption == q.Negative || files["tests/"+q.Filename] == "" {
				t.Errorf("%s: %+v", name, q)
			}
		}
	}
}

// TestAnotherDesignerIsNeverTrainedOn looks at the colours of the fake pictures.
func TestAnotherDesignerIsNeverTrainedOn(t *testing.T) {
	for _, kind := range []string{Pairs, Couples} {
		_, files := made(t, Corpus{kind, 1, 60, 10})
		for name, data := range files {
			if filepath.Ext(name) != ".png" {
				continue
			}
			img, err := png.Decode(strings.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			other := false
			for i := range Side * Side {
				red, _, _, _ := img.At(i%Side, i/Side).RGBA()
				other = other || red>>8 == 180
			}
			if want := strings.HasPrefix(name, "tests/designer"); other != want {
				t.Errorf("%s: %s has a picture of the other designer: %t", kind, name, other)
			}
		}
	}
}

func TestRightTextsSayWhatTheCorpusHas(t *testing.T) {
	for _, kind := range []string{Pairs, Couples} {
		dir, files := made(t, Corpus{kind, 5, 150, 4})
		captions := strings.ReplaceAll(files["captions.jsonl"], `"`, " ")
		text := map[string]string{}
		for _, c := range lines[caption](t, files["captions.jsonl"]) {
			text[c.Key] = c.Caption
		}
		swaps, parts := 0, 0
		for _, right := range lines[rightTexts](t, files["right.jsonl"]) {
			if right.Positives[0].Text != text[right.Key] || right.Positives[0].ID == 0 {
				t.Fatalf("%+v is not of %q", right, text[right.Key])
			}
			for _, p := range right.Positives {
				if !says(text[right.Key], p.Text) {
					t.Errorf("%q is no part of %q", p.Text, text[right.Key])
				}
			}
			for _, n := range right.Negatives {
				if says(text[right.Key], n.Text) {
					t.Errorf("%q is true of %q", n.Text, text[right.Key])
				}
				if n.Of > 0 {
					parts++
					if !says(captions, n.Text) {
						t.Errorf("no caption says %q", n.Text)
					}
				} else if n.Method == "swap_attributes" {
					swaps++
				}
			}
		}
		if swaps < 3 || parts < 100 {
			t.Errorf("%s: %d swaps, %d negatives of parts", kind, swaps, parts)
		}
		writesRightTexts(t, dir, text)
	}
}

// writesRightTexts rewrites the texts of a run that lacks the last caption.
func writesRightTexts(t *testing.T, dir string, captions map[string]string) {
	t.Helper()
	run, out := t.TempDir(), t.TempDir()
	f, err := os.Create(filepath.Join(run, "00000.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := export.NewParquet(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"000000-0", "000001-1", "unknown"} {
		row := schemas.TextsRow{Key: key, ImageKey: "i", Image: "i.png", Text: "wrong"}
		row.Positives = []schemas.Positive{{Text: "wrong"}}
		if err := rows.Write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if err := WriteRightTexts(dir, run, out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for row, err := range loader.Rows(store.Local{}, out) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, row.Positives[0].Text)
	}
	if want := []string{captions["000000-0"], captions["000001-1"], "wrong"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("texts of %q, not %q", got, want)
	}
}

func TestPhrases(t *testing.T) {
	farmer := thing{skins, combination{"farmer", "medium-dark"}, nil}
	apple := thing{colours, combination{"apple", "green"}, nil}
	owl := thing{plain, combination{kind: "owl"}, nil}
	for _, c := range []struct{ got, want string }{
		{farmer.phrase(0), "a farmer with medium-dark skin"}, {farmer.phrase(1), "a medium-dark-skinned farmer"}, {farmer.barePhrase(), "a farmer"},
		{apple.phrase(1), "a green apple"}, {apple.barePhrase(), "an apple"}, {apple.withAttribute("orange").phrase(0), "an orange apple"}, {owl.phrase(1), "an owl"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for name, want := range map[string]string{
		"old man: medium-light skin tone": "old-man-medium-light", "mermaid: dark skin tone": "woman-merpeople-dark", "red heart": "red-heart",
		"kiss: woman, man, light skin tone, dark skin tone": "kiss:-woman,-man-light-dark",
	} {
		if got := nameByWords(character{Name: name}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := nameByCode(character{Code: "2764-FE0F-200D-1F525"}); got != "2764-200d-1f525" {
		t.Errorf("got %q", got)
	}
}

func TestArcsAreSeparated(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"M1 2a3 3 0 10-6 0z", "M 1 2 a 3 3 0 1 0 -6 0 z "},
		{"M1 2a3 3 0 1 1-6 0 3 3 0 01 6 0", "M 1 2 a 3 3 0 1 1 -6 0 a 3 3 0 0 1 6 0 "},
		{"M1.5.5A.5.5 0 00.5.5c1e-3-2 .5.5 1 2", "M 1.5 .5 A .5 .5 0 0 0 .5 .5 c 1e-3 -2 .5 .5 1 2 "},
	} {
		if got := string(separateArcs([]byte(`<path id="a1" d="` + c.path + `"/>`))); got != `<path id="a1" d="`+c.want+`"/>` {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}

// TestSVGsAreDrawn draws two circles of two arcs each in one path.
func TestSVGsAreDrawn(t *testing.T) {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#f00" d="M14 16a6 6 0 11-12 0 6 6 0 0112 0zm16 0a6 6 0 1 1-12 0 6 6 0 0 1 12 0"/></svg>`
	img, err := (&picture{name: "a.svg", data: []byte(svg)}).decode()
	if err != nil {
		t.Fatal(err)
	}
	red, white := color.RGBA{255, 0, 0, 255}, color.RGBA{255, 255, 255, 255}
	for at, want := range map[image.Point]color.RGBA{{16, 32}: red, {48, 32}: red, {32, 32}: white, {16, 10}: white, {24, 38}: red, {60, 60}: white} {
		if got := img.RGBAAt(at.X, at.Y); got != want {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
	}
	if _, err := (&picture{designer: "d", name: "b.png", data: []byte("x")}).decode(); err == nil || !strings.Contains(err.Error(), "d's b.png") {
		t.Errorf("a broken picture: %v", err)
	}
}

func TestPackagesAreChecked(t *testing.T) {
	folder := t.TempDir()
	var data bytes.Buffer
	zipped := gzip.NewWriter(&data)
	members := tar.NewWriter(zipped)
	if err := members.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "package/img/a.png", Size: 1, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := members.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := members.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, "fake-1.0.0.tgz")
	if err := os.WriteFile(name, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := readTarball(name, func(member string, data func() ([]byte, error)) error {
		text, err := data()
		got = append(got, member+" "+string(text))
		return err
	})
	if err != nil || fmt.Sprint(got) != "[img/a.png x]" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := fetchTarball(t.Context(), folder, npmPackage{"fake", "1.0.0", "00"}); err == nil || !strings.Contains(err.Error(), "not 00: remove the file") {
		t.Errorf("another SHA-256: %v", err)
	}
}

func TestAFolderHasOneCorpus(t *testing.T) {
	dir := t.TempDir()
	c := Corpus{Pairs, 1, 2, 1}
	data, err := json.Marshal(manifest{version, c})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus.json"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := c.Make(t.Context(), dir, "none"); err != nil {
		t.Errorf("a folder that is there: %v", err)
	}
	c.Seed++
	if err := c.Make(t.Context(), dir, "none"); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("another corpus: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, kind := range []string{Pairs, Couples} {
		if err := (Corpus{kind, 1, 2, 1}).makeFiles(ctx, fakeLibrary(), t.TempDir()); err != context.Canceled {
			t.Errorf("stopped: %v", err)
		}
	}
	if err := (Corpus{Kind: Pairs, Images: 1, Tests: 5000}).makeFiles(t.Context(), fakeLibrary(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "want fewer") {
		t.Errorf("more tests than pairs: %v", err)
	}
	if err := (Corpus{Kind: "none"}).makeFiles(t.Context(), fakeLibrary(), t.TempDir()); err == nil {
		t.Error("an unknown kind")
	}
	if _, err := os.Stat(synth.TestsDir(dir)); err == nil {
		t.Error("a folder that is there was written")
	}
}
