package export

import (
	"archive/tar"
	"bytes"
	"fmt"
	pixels "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
)

// picture is an encoded image of one pixel.
func picture(t *testing.T, kind string) string {
	t.Helper()
	img := pixels.NewPaletted(pixels.Rect(0, 0, 1, 1), color.Palette{color.White})
	var b bytes.Buffer
	if err := map[string]func() error{
		"jpg": func() error { return jpeg.Encode(&b, img, nil) },
		"png": func() error { return png.Encode(&b, img) },
		"gif": func() error { return gif.Encode(&b, img, nil) },
	}[kind](); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// members are the names and contents of a tar's members.
func members(t *testing.T, name string) (names []string, data map[string]string) {
	t.Helper()
	data = map[string]string{}
	r := tar.NewReader(strings.NewReader(read(t, name)))
	for h, err := r.Next(); err == nil; h, err = r.Next() {
		all, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, data[h.Name] = append(names, h.Name), string(all)
	}
	return names, data
}

// Images of a folder go with each caption of theirs, under what their bytes are.
func TestWebDatasetOfAFolder(t *testing.T) {
	images := t.TempDir()
	for name, data := range map[string]string{
		"a.jpg": picture(t, "jpg"), "sub/été.PNG": picture(t, "png"), "c.jpg": picture(t, "gif"), "d.jpg": "no picture", "f.jpg": picture(t, "jpg"), "g.jpg": picture(t, "jpg"),
	} {
		name = filepath.Join(images, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside, pathless := row("5", "x", "outside", true), row("6", "x", "no image", true)
	outside.Image, pathless.Image = "../a.jpg", ""
	png := row("2", "sub/été", "an umlaut", true)
	png.Image = "sub/été.PNG"
	dir := writeTexts(t, map[string][]*Row{
		"train-00000-of-00002": {row("0", "a", "first", true), row("1", "a", "second", true), png},
		"train-00001-of-00002": {row("3", "c", "a gif", true), row("4", "d", "text", true), outside, pathless, row("7", "e", "not there", true), row("8.1", "f", "dotted", true), row("../9", "g", "climbs", true)},
	})
	s, out, err := export(t, "webdataset", Options{Dir: dir, Images: images})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 10 || s.Written != 4 || fmt.Sprint(s.LeftOut) != "[{unknown image format 1} {an image that cannot be read 1} {no image path 1} {no such image 1} {a key that cannot name a member of a tar 2}]" {
		t.Errorf("%+v", s)
	}
	names, data := members(t, out+"/00000.tar")
	if got, want := strings.Join(names, " "), "0.jpg 0.json 0.txt 0.neg.json 1.jpg 1.json 1.txt 1.neg.json 2.png 2.json 2.txt 2.neg.json"; got != want {
		t.Errorf("members %s", got)
	}
	if data["1.jpg"] != picture(t, "jpg") || data["2.png"] != picture(t, "png") || data["1.txt"] != "second" {
		t.Errorf("%q", data)
	}
	if names, _ = members(t, out+"/00001.tar"); len(names) != 4 || names[0] != "3.gif" {
		t.Errorf("members %q", names)
	}
	if sizes := read(t, out+"/sizes.json"); sizes != "{\n  \"00000.tar\": 3,\n  \"00001.tar\": 1\n}\n" {
		t.Errorf("sizes.json: %s", sizes)
	}
}

// Images in Parquet are found by key, or by the path beside their bytes.
func TestWebDatasetOfParquet(t *testing.T) {
	type img2dataset struct {
		Key string `parquet:"key"`
		JPG []byte `parquet:"jpg"`
	}
	type datasets struct {
		Image struct {
			Bytes []byte `parquet:"bytes"`
			Path  string `parquet:"path"`
		} `parquet:"image"`
	}
	jpg := []byte(picture(t, "jpg"))
	named := datasets{}
	named.Image.Bytes, named.Image.Path = jpg, "a.jpg"
	dir := writeTexts(t, map[string][]*Row{"00000": {row("0", "a", "first", true), row("1", "b", "second", true)}})
	for name, write := range map[string]func(io.Writer) error{
		"key":  func(w io.Writer) error { return pq.Write(w, []img2dataset{{"1", jpg}, {"0", nil}, {"0", jpg}}) },
		"path": func(w io.Writer) error { return pq.Write(w, []datasets{named}) },
	} {
		images := t.TempDir()
		f, err := os.Create(images + "/0.parquet")
		if err != nil {
			t.Fatal(err)
		}
		if err := write(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for format, file := range map[string]string{"webdataset": "/00000.tar", "c2lip": "/00000.tar"} {
			s, out, err := export(t, format, Options{Dir: dir, Images: images})
			if err != nil {
				t.Fatal(name, err)
			}
			if s.Written == 0 || s.Rows != 2 || !strings.Contains(read(t, out+file), string(jpg)) {
				t.Errorf("%s, %s: %+v", name, format, s)
			}
		}
	}
}
