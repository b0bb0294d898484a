package synth

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"capgraph/sources"
	"capgraph/store"
)

// written is the files of a folder by name.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
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
	return files
}

func write(t *testing.T, w World) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := w.Write(t.Context(), store.Local{}, dir); err != nil {
		t.Fatal(err)
	}
	return written(t, dir)
}

// TestTheSameBytesEachTime makes a world with one processor and with several.
func TestTheSameBytesEachTime(t *testing.T) {
	w := World{Seed: 7, Side: 32, Train: 1100, Heldout: 20}
	before := runtime.GOMAXPROCS(1)
	one := write(t, w)
	runtime.GOMAXPROCS(4)
	four := write(t, w)
	runtime.GOMAXPROCS(before)
	if len(one) != 24 || len(one) != len(four) {
		t.Fatalf("%d and %d files", len(one), len(four))
	}
	for name, data := range one {
		if four[name] != data {
			t.Errorf("%s differs", name)
		}
	}
	w.Seed = 8
	if other := write(t, w); other["train/00000.tar"] == one["train/00000.tar"] || other["heldout.json"] == one["heldout.json"] {
		t.Error("another seed makes the same world")
	}
}

func TestEdges(t *testing.T) {
	if files := write(t, World{Side: 1}); len(files) != 2 || files["heldout.json"] != "{\n}\n" {
		t.Errorf("an empty world: %v", files)
	}
	if files := write(t, World{Side: 1, Train: 1, Heldout: 1}); len(files) != 5 {
		t.Errorf("a world of one: %d files", len(files))
	}
	if err := (World{Side: 0, Train: 1}).Write(t.Context(), store.Local{}, t.TempDir()); err == nil {
		t.Error("images of no pixel")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if err := (World{Side: 8, Train: 2000}).Write(ctx, store.Local{}, dir); !errors.Is(err, context.Canceled) || len(written(t, dir)) != 1 {
		t.Errorf("stopped: %v, %d files", err, len(written(t, dir)))
	}
}

// TestAFolderIsOfOneWorld uses a finished folder again, finishes one that was
// not, and refuses that of another world.
func TestAFolderIsOfOneWorld(t *testing.T) {
	w, dir := World{Seed: 7, Side: 16, Train: 30, Heldout: 3}, t.TempDir()
	again := func(w World) error { return w.Write(t.Context(), store.Local{}, dir) }
	if err := again(w); err != nil {
		t.Fatal(err)
	}
	whole := written(t, dir)
	if err := again(World{Seed: 8, Side: 16, Train: 30, Heldout: 3}); err == nil || !strings.Contains(err.Error(), "holds another world") {
		t.Errorf("another world: %v", err)
	}
	manifest := filepath.Join(dir, "world.json")
	cut := strings.Replace(whole["world.json"], "true", "false", 1)
	for name, text := range map[string]string{manifest: cut, filepath.Join(dir, "train", "00000.tar"): "cut"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := again(w); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(written(t, dir)) != fmt.Sprint(whole) {
			t.Error("the folder is another")
		}
	}
	if err := os.WriteFile(manifest, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := again(w); err == nil || !strings.Contains(err.Error(), "world.json: unexpected end") {
		t.Errorf("a broken manifest: %v", err)
	}
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if err := again(w); err == nil || !strings.Contains(err.Error(), "train: exists, and is no rendered world's") || len(written(t, dir)) != len(whole)-1 {
		t.Errorf("somebody's files: %v", err)
	}
}

// TestScenesAreAsTheCaptionsSay looks for each object where it was placed, in
// its colour, and for the side that the caption tells.
func TestScenesAreAsTheCaptionsSay(t *testing.T) {
	w := World{Seed: 7, Side: 64}
	p := newPainter(w.Side)
	for i := range 500 {
		s := w.TrainScene(i)
		p.paint(s)
		caption := s.Caption()
		for _, o := range s.Objects {
			if !strings.Contains(caption, o.said()) {
				t.Errorf("scene %d: %q lacks %s", i, caption, o.said())
			}
			at := Shapes[o.Shape].Outlines[0][0] // near the first point of the outline
			near := 0.8
			if Shapes[o.Shape].Name == "cross" {
				at, near = Point{0, 0}, 0
			}
			tilted := newPoint(at, o.Tilt)
			x, y := int(64*(o.X+near*o.Radius*tilted.X)), int(64*(o.Y+near*o.Radius*tilted.Y))
			if got := p.canvas.RGBAAt(x, y); far(got, o.colour()) && Shapes[o.Shape].Name != "star" {
				t.Errorf("scene %d: %s is %v at %d, %d, not %v", i, o.said(), got, x, y, o.colour())
			}
			if o.X-o.Radius < 0 || o.X+o.Radius > 1 || o.Y-o.Radius < 0 || o.Y+o.Radius > 1 {
				t.Errorf("scene %d: %s is cut off: %+v", i, o.said(), o)
			}
		}
		if len(s.Objects) == 1 {
			continue
		}
		a, b := s.Objects[0], s.Objects[1]
		if gap := max(b.X-a.X, b.Y-a.Y); gap < a.Radius+b.Radius {
			t.Errorf("scene %d: the objects touch: %+v", i, s)
		}
		first := strings.HasPrefix(caption, a.said())
		left := strings.Contains(caption, "to the left of") || strings.Contains(caption, "above")
		right := strings.Contains(caption, "to the right of") || strings.Contains(caption, "below")
		if left && !first || right && first {
			t.Errorf("scene %d: %q, of %s and %s", i, caption, a.said(), b.said())
		}
		if s.Upright && (b.Y <= a.Y || strings.Contains(caption, "left")) || !s.Upright && (b.X <= a.X || strings.Contains(caption, "above")) {
			t.Errorf("scene %d: %q of %+v", i, caption, s)
		}
	}
}

func newPoint(at Point, tilt float64) Point {
	o := regular(1, tilt)[0]
	return Point{at.X*o.X - at.Y*o.Y, at.X*o.Y + at.Y*o.X}
}

func far(a, b color.RGBA) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) > 60
}

// TestHeldOutPairsAreUnseen finds no family of a held-out scene among those to
// train on, yet each colour with each shape.
func TestHeldOutPairsAreUnseen(t *testing.T) {
	w := World{Seed: 7}
	family := func(s Scene) string {
		a, b := s.Objects[0], s.Objects[1]
		return fmt.Sprint(min(a.Colour, b.Colour), max(a.Colour, b.Colour), min(a.Shape, b.Shape), max(a.Shape, b.Shape))
	}
	seen, singles := map[string]bool{}, map[string]bool{}
	for i := range 4000 {
		s := w.TrainScene(i)
		if len(s.Objects) == 2 {
			seen[family(s)] = true
		}
		for _, o := range s.Objects {
			singles[o.said()] = true
		}
	}
	if len(singles) != len(Colours)*len(Shapes) {
		t.Errorf("%d conjunctions to train on", len(singles))
	}
	heldout := map[string]bool{}
	for i := range 800 {
		s := w.HeldoutScene(i)
		heldout[family(s)] = true
		if seen[family(s)] {
			t.Errorf("scene %d: %s is trained on", i, s.Caption())
		}
		if s.Caption() == s.Swapped().Caption() {
			t.Errorf("scene %d: %s swapped is the same", i, s.Caption())
		}
	}
	if len(heldout) < 50 || len(seen) < 250 {
		t.Errorf("%d families held out, %d trained on", len(heldout), len(seen))
	}
}

// TestTarsAreReadAsImg2datasets reads the sidecars as 'capgraph run' does, and
// the tars beside them.
func TestTarsAreReadAsImg2datasets(t *testing.T) {
	dir := t.TempDir()
	w := World{Seed: 7, Side: 32, Train: 10003}
	if err := w.Write(t.Context(), store.Local{}, dir); err != nil {
		t.Fatal(err)
	}
	captions := map[string]string{}
	for shard, n := range []int{10000, 3} {
		f, err := os.Open(filepath.Join(TrainDir(dir), fmt.Sprintf("%05d.tar", shard)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := tar.NewReader(f)
		for i := range n {
			key := fmt.Sprintf("%05d%04d", shard, i)
			data := map[string][]byte{}
			for _, extension := range []string{"png", "json", "txt"} {
				h, err := in.Next()
				if err != nil || h.Name != key+"."+extension || h.Format != tar.FormatUSTAR || h.ModTime.Unix() != 0 {
					t.Fatalf("%+v, %v", h, err)
				}
				data[extension], _ = io.ReadAll(in)
			}
			var r row
			if err := json.Unmarshal(data["json"], &r); err != nil || r.Key != key || r.Caption != string(data["txt"]) {
				t.Fatalf("%s: %v", data["json"], err)
			}
			if sum := sha256.Sum256(data["png"]); r.SHA256 != hex.EncodeToString(sum[:]) {
				t.Fatalf("%s: the hash is another's", key)
			}
			if i%1000 == 0 {
				img, err := png.Decode(bytes.NewReader(data["png"]))
				if err != nil || img.Bounds() != image.Rect(0, 0, 32, 32) {
					t.Fatalf("%s: %v", key, err)
				}
			}
			captions[key] = r.Caption
		}
		if _, err := in.Next(); err != io.EOF {
			t.Errorf("more than %d: %v", n, err)
		}
	}
	opts := sources.Options{Format: "img2dataset", Paths: []string{TrainDir(dir)}}
	sidecars, err := sources.Expand(store.Local{}, opts)
	if err != nil || len(sidecars) != 2 {
		t.Fatalf("%d sidecars, %v", len(sidecars), err)
	}
	for _, sidecar := range sidecars {
		rows, err := sources.Open(t.Context(), store.Local{}, sidecar, opts, sources.Position{})
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for row := new(sources.Row); ; {
			if err := rows.Next(row); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if row.Reject != "" || captions[row.Key] != row.Caption {
				t.Fatalf("got %+v", row)
			}
			delete(captions, row.Key)
		}
	}
	if len(captions) > 0 {
		t.Errorf("%d captions are in no sidecar", len(captions))
	}
}

func TestPairsSwapColours(t *testing.T) {
	files := write(t, World{Seed: 7, Side: 16, Heldout: 12})
	var pairs map[string]pair
	if err := json.Unmarshal([]byte(files["heldout.json"]), &pairs); err != nil || len(pairs) != 12 {
		t.Fatalf("%d pairs, %v", len(pairs), err)
	}
	p := pairs["11"]
	if p.Filename != "000011.png" || files["heldout/000011.png"] == "" || p.Caption == p.Negative || len(p.Caption) < 20 {
		t.Errorf("got %+v", p)
	}
	s := Scene{Objects: []Object{{Colour: 0, Shape: 0}, {Colour: 4, Shape: 1}}}
	if got := s.Caption() + "; " + s.Swapped().Caption(); got != "a red circle and an orange square; an orange circle and a red square" {
		t.Errorf("got %s", got)
	}
}

// BenchmarkRender is scenes a second on one core.
func BenchmarkRender(b *testing.B) {
	w := World{Seed: 7, Side: 32}
	p := newPainter(w.Side)
	for i := 0; b.Loop(); i++ {
		if _, err := p.png(w.TrainScene(i)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "scenes/s")
}
