package images

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"io/fs"
	"path/filepath"
	"testing"

	"capgraph/images/resize"
	"capgraph/store"
)

// TestFirstFrameOfGIF decodes the first frame, also one that is a part of the whole.
func TestFirstFrameOfGIF(t *testing.T) {
	palette := color.Palette{color.RGBA{0, 0, 0, 255}, color.RGBA{200, 10, 30, 255}, color.RGBA{1, 2, 3, 255}}
	frame := func(r image.Rectangle, index uint8) *image.Paletted {
		m := image.NewPaletted(r, palette)
		for i := range m.Pix {
			m.Pix[i] = index
		}
		return m
	}
	for name, first := range map[string]image.Rectangle{"whole": image.Rect(0, 0, 8, 6), "a part": image.Rect(2, 1, 5, 6)} {
		var b bytes.Buffer
		g := gif.GIF{Image: []*image.Paletted{frame(first, 1), frame(image.Rect(0, 0, 8, 6), 2)}, Delay: []int{1, 1}, Config: image.Config{ColorModel: palette, Width: 8, Height: 6}}
		if err := gif.EncodeAll(&b, &g); err != nil {
			t.Fatal(err)
		}
		var d Decoder
		err := d.Decode(b.Bytes(), func(p resize.Pixels) {
			for y := range 6 {
				for x := range 8 {
					want := [3]byte{}
					if image.Pt(x, y).In(first) {
						want = [3]byte{200, 10, 30}
					}
					if got := [3]byte(p.RGBX[4*(8*y+x):]); got != want || p.Width != 8 || p.Height != 6 {
						t.Fatalf("%s: pixel %d, %d of %d × %d is %v, want %v", name, x, y, p.Width, p.Height, got, want)
					}
				}
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := d.Decode(b.Bytes()[:b.Len()/3], func(resize.Pixels) {}); err == nil {
			t.Errorf("%s: cut off, and decoded", name)
		}
	}
}

// TestImagesAsPeopleNameThem finds images by the key of one of several captions, by a member that is
// named, and by the row of a Parquet file.
func TestImagesAsPeopleNameThem(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/tars/0.tar", tarOf(t, member{"a.input.jpg", "in"}, member{"a.edited.jpg", "out"}, member{"b.gif", "gif"}))
	record(t, dir+"/hf/0.parquet", nil, "image", []member{{"1.jpg", "one"}, {"", "two"}, {"3.jpg", ""}}, true)
	write(t, dir+"/files/00000/1.jpg", []byte("file"))
	record(t, dir+"/files/00000.parquet", texts("1"), "thumbnail", []member{{"", "x"}}, false)
	for _, c := range []struct {
		o          Options
		name, want string // want is "" if there is no such image
	}{
		{Options{Paths: []string{dir + "/tars"}, Column: "input.jpg"}, "a", "in"},
		{Options{Paths: []string{dir + "/tars"}, Column: "input.jpg"}, "a#1", "in"},
		{Options{Paths: []string{dir + "/tars"}, Column: "edited.jpg"}, "0.tar/a.edited.jpg", "out"},
		{Options{Paths: []string{dir + "/tars"}}, "a", ""},
		{Options{Paths: []string{dir + "/tars"}}, "b#12", "gif"},
		{Options{Paths: []string{dir + "/tars"}}, "b#x", ""},
		{Options{Paths: []string{dir + "/hf"}}, "1.jpg", "one"},
		{Options{Paths: []string{dir + "/hf"}}, "0.parquet/0", "one"},
		{Options{Paths: []string{dir + "/hf"}}, "0.parquet/1", "two"},
		{Options{Paths: []string{dir + "/hf"}}, "0.parquet/2", ""},
		{Options{Paths: []string{dir + "/hf"}}, "0.parquet/3", ""},
		{Options{Paths: []string{dir + "/hf"}}, "1.parquet/0", ""},
		{Options{Paths: []string{dir + "/files"}}, "00000/1.jpg", "file"},
	} {
		s, err := Open(store.Local{}, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, shard := range []string{"", "0"} {
			data, err := s.Read(context.Background(), shard, c.name, nil)
			if string(data) != c.want || c.want == "" && !errors.Is(err, fs.ErrNotExist) || c.want != "" && err != nil {
				t.Errorf("%s, %s: %q, %v, want %q", filepath.Base(c.o.Paths[0]), c.name, data, err, c.want)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
